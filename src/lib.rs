//! The search that solves a Sudoku, as a film, with a proof that the film tells the truth.
//!
//! The modules stand in the order in which data flows, and import only upwards in this list:
//!
//! 1. [`puzzle`] reads a puzzle: cells, givens, houses, rules.
//! 2. [`graph`] turns its houses into vertices and edges.
//! 3. [`solve`] colours the graph exactly (DSATUR with backtracking) and records every step.
//! 4. [`trace`] is that record: its events, its file, and the replay of its states.
//! 5. [`verify`] replays a trace against the rules; it knows neither [`solve`] nor [`graph`].
//! 6. [`picture`] is a planar YCbCr picture, the currency between drawing, encoding and decoding.
//! 7. [`manifest`] is what a film claims about itself: geometry, palette, timing, checksums.
//!    `carried` packs it, with the trace, into a tag of the film itself.
//! 8. [`film`] draws: a timeline of states, a layout, a scene for each frame number, its pixels.
//! 9. [`encode`] turns pictures into an MP4, [`decode`] turns a video file into pictures.
//! 10. [`audit`] compares decoded pictures with the trace; it knows nothing of how they are drawn.
#![deny(unsafe_code)]

pub mod audit;
#[cfg(feature = "carried")]
pub mod carried;
#[cfg(feature = "cli")]
pub mod cli;
pub mod decode;
pub mod encode;
pub mod film;
pub mod graph;
pub mod manifest;
pub mod picture;
#[cfg(feature = "ffmpeg")]
pub mod process;
pub mod puzzle;
pub mod solve;
pub mod trace;
pub mod verify;
