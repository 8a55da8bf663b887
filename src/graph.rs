//! Vertices and edges from houses.
