//! Child processes: the one place that starts and reaps them.
