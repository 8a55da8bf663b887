//! Pixels from a display list.
