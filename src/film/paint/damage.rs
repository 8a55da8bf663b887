//! Which parts of a picture differ from the picture before.

/// Width and height of a tile in pixels: even, so that a tile holds whole chroma samples.
pub const TILE: u32 = 32;

/// A set of tiles of a picture. Tiles at the right and lower border may be cut off by it; every
/// rectangle that comes out has even position and size, as the picture has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    width: u32,
    height: u32,
    columns: u32,
    rows: u32,
    marked: Vec<bool>,
}

impl Damage {
    /// Nothing of a picture of this size.
    pub fn none(width: u32, height: u32) -> Self {
        let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
        Damage {
            width,
            height,
            columns,
            rows,
            marked: vec![false; columns as usize * rows as usize],
        }
    }

    /// All of a picture of this size.
    pub fn full(width: u32, height: u32) -> Self {
        let mut damage = Damage::none(width, height);
        damage.mark_all();
        damage
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        !self.marked.contains(&true)
    }

    /// The number of tiles that differ.
    pub fn tiles(&self) -> usize {
        self.marked.iter().filter(|m| **m).count()
    }

    /// Width and height of the picture in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Adds what `other` holds, for a picture that was last brought up to date some frames ago.
    /// Where the sizes differ everything is marked.
    pub fn union(&mut self, other: &Damage) {
        if self.size() != other.size() {
            self.mark_all();
            return;
        }
        for (mine, theirs) in self.marked.iter_mut().zip(&other.marked) {
            *mine |= theirs;
        }
    }

    /// The marked rectangles `[x, y, width, height]`, row by row from the left; neighbouring
    /// tiles of a row are joined, none overlap.
    pub fn rects(&self) -> impl Iterator<Item = [u32; 4]> + '_ {
        (0..self.rows).flat_map(move |row| {
            self.runs(row).map(move |(first, end)| {
                let (x, y) = (first * TILE, row * TILE);
                let right = (end * TILE).min(self.width);
                let bottom = (y + TILE).min(self.height);
                [x, y, right - x, bottom - y]
            })
        })
    }

    /// Runs of marked tiles in one row, as half-open ranges of columns.
    pub(super) fn runs(&self, row: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let marks = self.row(row);
        let mut at = 0;
        std::iter::from_fn(move || {
            let first = at + marks[at..].iter().position(|m| *m)?;
            let end = marks[first..]
                .iter()
                .position(|m| !*m)
                .map_or(marks.len(), |n| first + n);
            at = end;
            Some((first as u32, end as u32))
        })
    }

    pub(super) fn row(&self, row: u32) -> &[bool] {
        let start = row as usize * self.columns as usize;
        &self.marked[start..start + self.columns as usize]
    }

    pub(super) fn rows(&self) -> u32 {
        self.rows
    }

    pub(super) fn columns(&self) -> u32 {
        self.columns
    }

    pub(super) fn mark_all(&mut self) {
        self.marked.fill(true);
    }

    pub(super) fn mark_tile(&mut self, index: usize) {
        if let Some(mark) = self.marked.get_mut(index) {
            *mark = true;
        }
    }

    /// Marks the tiles that a rectangle `[left, top, right, bottom)` touches.
    pub(super) fn mark(&mut self, bounds: Bounds) {
        let Some([left, top, right, bottom]) = bounds.tiles(self.columns, self.rows) else {
            return;
        };
        for row in top..bottom {
            let start = row as usize * self.columns as usize;
            self.marked[start + left as usize..start + right as usize].fill(true);
        }
    }
}

/// A rectangle of whole pixels, `right` and `bottom` exclusive; empty where they do not exceed
/// `left` and `top`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Bounds {
    pub const EMPTY: Bounds = Bounds {
        left: 0,
        top: 0,
        right: 0,
        bottom: 0,
    };

    /// Left, top, width, height, without overflow.
    pub fn of_rect([x, y, w, h]: [i32; 4]) -> Self {
        Bounds {
            left: x,
            top: y,
            right: x.saturating_add(w.max(0)),
            bottom: y.saturating_add(h.max(0)),
        }
    }

    /// All pixels within `reach` of a point; empty where a number is not finite.
    pub fn around(at: [f32; 2], reach: f32) -> Self {
        if !(at[0].is_finite() && at[1].is_finite() && reach.is_finite() && reach >= 0.0) {
            return Bounds::EMPTY;
        }
        Bounds {
            left: (at[0] - reach).floor() as i32,
            top: (at[1] - reach).floor() as i32,
            right: ((at[0] + reach).ceil() as i32).saturating_add(1),
            bottom: ((at[1] + reach).ceil() as i32).saturating_add(1),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    pub fn intersect(&self, other: &Bounds) -> Bounds {
        Bounds {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The tiles it touches, `[left, top, right, bottom)`.
    pub fn tiles(&self, columns: u32, rows: u32) -> Option<[u32; 4]> {
        let tile = TILE as i32;
        let left = self.left.max(0) / tile;
        let top = self.top.max(0) / tile;
        let right = (self.right.max(0) as u32).div_ceil(TILE).min(columns) as i32;
        let bottom = (self.bottom.max(0) as u32).div_ceil(TILE).min(rows) as i32;
        (left < right && top < bottom && !self.is_empty()).then_some([
            left as u32,
            top as u32,
            right as u32,
            bottom as u32,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_join_neighbours_and_end_at_the_border() {
        let mut damage = Damage::none(100, 50);
        damage.mark(Bounds {
            left: 31,
            top: 0,
            right: 65,
            bottom: 1,
        });
        damage.mark(Bounds {
            left: 99,
            top: 49,
            right: 500,
            bottom: 500,
        });
        let rects: Vec<_> = damage.rects().collect();
        assert_eq!(rects, [[0, 0, 96, 32], [96, 32, 4, 18]]);
        assert_eq!(damage.tiles(), 4);
    }

    #[test]
    fn what_lies_outside_marks_nothing() {
        let mut damage = Damage::none(64, 64);
        for bounds in [
            Bounds {
                left: -50,
                top: -50,
                right: 0,
                bottom: 9,
            },
            Bounds {
                left: 64,
                top: 0,
                right: 90,
                bottom: 9,
            },
            Bounds {
                left: 5,
                top: 5,
                right: 5,
                bottom: 9,
            },
            Bounds::around([f32::NAN, 3.0], 4.0),
            Bounds::of_rect([i32::MAX, 0, i32::MAX, 4]),
        ] {
            damage.mark(bounds);
        }
        assert!(damage.is_empty());
        assert_eq!(damage.rects().count(), 0);
    }
}
