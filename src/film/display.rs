//! The display list: everything on the screen, back to front, as plain shapes.
//!
//! `scene` writes it, `paint` reads it. Coordinates are pixels from the top left corner; a pixel's
//! centre is at +0.5. Two equal lists make equal pixels.

use std::sync::Arc;

/// An opaque sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rgb {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Rgb {
    /// From 0xrrggbb.
    pub const fn hex(v: u32) -> Self {
        Rgb {
            r: (v >> 16) as u8,
            g: (v >> 8) as u8,
            b: v as u8,
        }
    }

    /// `self` at `t` = 0, `to` at `t` = 1, mixed in sRGB values and rounded.
    pub fn mix(self, to: Rgb, t: f64) -> Rgb {
        let m = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * t + 0.5) as u8;
        Rgb {
            r: m(self.r, to.r),
            g: m(self.g, to.g),
            b: m(self.b, to.b),
        }
    }

    /// As "#rrggbb".
    pub fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

/// A quadratic Bézier curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// Start.
    pub from: [f32; 2],
    /// Control point; the midpoint makes the curve straight.
    pub control: [f32; 2],
    /// End.
    pub to: [f32; 2],
    /// Opacity, 0 to 1.
    pub alpha: f32,
}

/// Many translucent curves of one colour and width, such as all edges of a graph. Where curves
/// cross, their opacities compose as if each were drawn over the one before.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveBatch {
    /// The curves.
    pub curves: Vec<Curve>,
    /// Stroke width in pixels, 0.5 to 8.
    pub width: f32,
    /// Their colour.
    pub color: Rgb,
}

/// A shape that is not a rectangle, a disc or text, in a box of the given size around a centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// Token symbols, filled.
    Circle,
    /// Point up.
    Triangle,
    /// Square.
    Square,
    /// A square on its corner.
    Diamond,
    /// Point up.
    Pentagon,
    /// Flat sides left and right.
    Hexagon,
    /// Five points.
    Star,
    /// A plus with broad arms.
    Cross,
    /// A circle with a hole.
    Ring,
    /// A triangle, point down.
    Wedge,
    /// A waning moon.
    Crescent,
    /// Two triangles, point to point.
    Hourglass,
    /// Point up, round below.
    Drop,
    /// Point down.
    Heart,
    /// An arrow that points up.
    Arrow,
    /// The upper half of a circle.
    Dome,
    /// Two diagonal strokes with round ends: a dead end.
    Saltire,
    /// An equals sign.
    Equals,
}

/// A path of straight lines, for clues.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyline {
    /// Its corners.
    pub points: Vec<[f32; 2]>,
    /// Whether the last corner is joined to the first.
    pub closed: bool,
    /// Stroke width in pixels; 0 fills the inside instead.
    pub width: f32,
    /// Dash and gap length in pixels, or (0, 0) for a solid stroke.
    pub dash: [f32; 2],
    /// Its colour.
    pub color: Rgb,
    /// Opacity, 0 to 1.
    pub alpha: f32,
}

/// One thing on the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A filled rectangle on whole pixels, without anti-aliasing.
    Rect {
        /// Left, top, width, height.
        rect: [i32; 4],
        /// Its colour.
        color: Rgb,
        /// Opacity, 0 to 1.
        alpha: f32,
    },
    /// The outline of a rectangle, `width` whole pixels wide, inside `rect`, without
    /// anti-aliasing.
    Frame {
        /// Left, top, width, height of the outside.
        rect: [i32; 4],
        /// Stroke width.
        width: i32,
        /// Its colour.
        color: Rgb,
        /// Opacity, 0 to 1.
        alpha: f32,
    },
    /// All edges, or some: shared, so that a scene whose edges rest costs nothing.
    Curves(Arc<CurveBatch>),
    /// A filled circle.
    Disc {
        /// Centre.
        at: [f32; 2],
        /// Radius.
        radius: f32,
        /// Its colour.
        color: Rgb,
        /// Opacity, 0 to 1.
        alpha: f32,
    },
    /// A circle's outline; the stroke lies half inside and half outside of `radius`.
    Ring {
        /// Centre.
        at: [f32; 2],
        /// Radius of the stroke's middle.
        radius: f32,
        /// Stroke width.
        width: f32,
        /// Its colour.
        color: Rgb,
        /// Opacity, 0 to 1.
        alpha: f32,
    },
    /// A symbol.
    Shape {
        /// Which.
        symbol: Symbol,
        /// Centre.
        at: [f32; 2],
        /// Width and height of its box.
        size: f32,
        /// Its colour.
        color: Rgb,
        /// Opacity, 0 to 1.
        alpha: f32,
    },
    /// One line of text, its ink centred on `at`: horizontally by its advance, vertically by the
    /// height of a digit, so that all digits of one size share a baseline.
    Text {
        /// What it says.
        text: Arc<str>,
        /// Centre.
        at: [f32; 2],
        /// Font size in pixels to the em.
        size: f32,
        /// Its colour.
        color: Rgb,
        /// Opacity, 0 to 1.
        alpha: f32,
    },
    /// A path, for clues.
    Line(Arc<Polyline>),
}

/// Everything on the screen, back to front.
#[derive(Debug, Clone, PartialEq)]
pub struct DisplayList {
    /// Picture size in pixels.
    pub size: (u32, u32),
    /// Behind everything.
    pub background: Rgb,
    /// What is drawn. An item keeps its place in the list from frame to frame as long as nothing
    /// comes or goes before it, which lets `paint` find what changed by comparing item by item;
    /// this is a matter of speed only.
    pub items: Vec<Item>,
}
