//! The exact search: DSATUR with backtracking.
