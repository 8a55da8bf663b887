//! Compares decoded pictures with the trace; knows nothing of how they are drawn.
