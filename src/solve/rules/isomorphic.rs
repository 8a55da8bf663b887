//! `isomorphic`: one permutation of the colours maps the first region to the second.

use super::all_different::filter;
use super::{Adjacency, Broken, Propagator, View, colors};

/// Keeps, for each colour, the colours that it may be mapped to; one-to-one both ways.
pub(super) struct Isomorphic {
    pairs: Vec<(u16, u16)>,
    scope: Vec<u16>,
    digits: u8,
    /// Cells of the scope that are equal, by this and other rules.
    equal: Vec<Vec<u16>>,
    /// Two equal cells share a house.
    hopeless: bool,
    /// Cells that stand in more than one pair.
    shared: Vec<u16>,
}

impl Isomorphic {
    pub fn new(
        first: Vec<u16>,
        second: Vec<u16>,
        digits: u8,
        equals: &[u16],
        adjacency: &Adjacency,
    ) -> Self {
        let pairs: Vec<_> = first.into_iter().zip(second).collect();
        let scope: Vec<u16> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        let mut by_class = scope.clone();
        by_class.sort_unstable_by_key(|&v| (equals[usize::from(v)], v));
        by_class.dedup();
        let equal: Vec<Vec<u16>> = by_class
            .chunk_by(|&a, &b| equals[usize::from(a)] == equals[usize::from(b)])
            .filter(|class| class.len() > 1)
            .map(<[u16]>::to_vec)
            .collect();
        let hopeless = equal.iter().any(|class| {
            class
                .iter()
                .enumerate()
                .any(|(i, &a)| class[i + 1..].iter().any(|&b| adjacency.has(a, b)))
        });
        let mut sorted = scope.clone();
        sorted.sort_unstable();
        let mut shared: Vec<u16> = sorted
            .chunk_by(|a, b| a == b)
            .filter(|run| run.len() > 1)
            .map(|run| run[0])
            .collect();
        shared.dedup();
        Isomorphic {
            pairs,
            scope,
            digits,
            equal,
            hopeless,
            shared,
        }
    }

    /// Whether the pairs that are coloured on both sides contradict each other once `vertex` has
    /// `color`: a colour with two images, or two colours with one.
    fn contradicts(&self, view: &View<'_>, vertex: u16, color: u8) -> bool {
        let mask = |v: u16| {
            if v == vertex {
                1 << (color - 1)
            } else {
                view.get(v)
            }
        };
        let (mut image, mut origin) = ([0u16; 16], [0u16; 16]);
        self.pairs.iter().any(|&(a, b)| {
            let (from, to) = (mask(a), mask(b));
            if !from.is_power_of_two() || !to.is_power_of_two() {
                return false;
            }
            let (i, j) = (from.trailing_zeros() as usize, to.trailing_zeros() as usize);
            let clash = (image[i] != 0 && image[i] != to) || (origin[j] != 0 && origin[j] != from);
            image[i] = to;
            origin[j] = from;
            clash
        })
    }
}

impl Propagator for Isomorphic {
    fn scope(&self) -> &[u16] {
        &self.scope
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        if self.hopeless {
            return Err(Broken(None));
        }
        for class in &self.equal {
            let common = class.iter().fold(u16::MAX, |m, &v| m & view.get(v));
            for &v in class {
                view.keep(v, common)?;
            }
        }
        let d = usize::from(self.digits);
        let mut images = [((1u32 << d) - 1) as u16; 16];
        let images = &mut images[..d];
        for &(a, b) in &self.pairs {
            let (from, to) = (view.get(a), view.get(b));
            if from.is_power_of_two() {
                images[from.trailing_zeros() as usize] &= to;
            }
            if to.is_power_of_two() {
                // Only what `a` can be may be mapped there.
                for (color, image) in images.iter_mut().enumerate() {
                    if from >> color & 1 == 0 {
                        *image &= !to;
                    }
                }
            }
        }
        if !filter(images) {
            return Err(Broken(None));
        }
        for &(a, b) in &self.pairs {
            let to = view.get(b);
            let mut possible = 0;
            let mut images_of_a = 0;
            for color in colors(view.get(a)) {
                let image = images[usize::from(color) - 1];
                if image & to != 0 {
                    possible |= 1 << (color - 1);
                    images_of_a |= image;
                }
            }
            view.keep(a, possible)?;
            view.keep(b, images_of_a)?;
        }
        // A cell of several pairs takes one colour in all of them, which the pairs one by one do
        // not see.
        for &v in &self.shared {
            let consistent = colors(view.get(v))
                .filter(|&c| !self.contradicts(view, v, c))
                .fold(0, |m, c| m | 1 << (c - 1));
            view.keep(v, consistent)?;
        }
        Ok(())
    }
}
