//! From a trace to pictures: `timeline` says which state each frame shows, `layout` where things
//! stand, `scene` what is on the screen at frame n, `paint` which pixels that makes.

pub mod display;
pub mod geometry;
pub mod layout;
pub mod paint;
pub mod palette;
pub mod timeline;
