//! `clone`: corresponding cells of all regions are equal.

use super::{Adjacency, Broken, Propagator, View};

/// Keeps the cells of each class of equals at the same colours.
pub(super) struct Same {
    classes: Vec<Vec<u16>>,
    scope: Vec<u16>,
    /// Two cells of one class share a house.
    hopeless: bool,
}

impl Same {
    pub fn new(regions: Vec<Vec<u16>>, adjacency: &Adjacency) -> Self {
        // Classes that share a cell are one class.
        let mut classes: Vec<Vec<u16>> = Vec::new();
        let length = regions.first().map_or(0, Vec::len);
        for i in 0..length {
            let mut class: Vec<u16> = regions.iter().filter_map(|r| r.get(i).copied()).collect();
            let (touching, apart) = classes
                .into_iter()
                .partition::<Vec<_>, _>(|c| c.iter().any(|v| class.contains(v)));
            class.extend(touching.into_iter().flatten());
            class.sort_unstable();
            class.dedup();
            classes = apart;
            classes.push(class);
        }
        let hopeless = classes.iter().any(|class| {
            class
                .iter()
                .enumerate()
                .any(|(i, &a)| class[i + 1..].iter().any(|&b| adjacency.has(a, b)))
        });
        Same {
            scope: classes.concat(),
            classes,
            hopeless,
        }
    }
}

impl Propagator for Same {
    fn scope(&self) -> &[u16] {
        &self.scope
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        if self.hopeless {
            return Err(Broken(None));
        }
        for class in &self.classes {
            let common = class.iter().fold(u16::MAX, |m, &v| m & view.get(v));
            for &v in class {
                view.keep(v, common)?;
            }
        }
        Ok(())
    }
}
