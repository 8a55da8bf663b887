//! Replays a trace against the rules; shares no code with `solve` or `graph`.
