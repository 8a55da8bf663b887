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
        Isomorphic {
            pairs,
            scope,
            digits,
            equal,
            hopeless,
        }
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
        Ok(())
    }
}
