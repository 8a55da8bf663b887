//! Which puzzle or trace an argument means.
