//! `appears`: the digit in the source is somewhere among the cells.

use super::{Adjacency, Broken, Propagator, View};

/// Matches the source's colours with those of the cells that do not share a house with it.
pub(super) struct Appears {
    source: u16,
    /// The cells that can be equal to the source.
    cells: Vec<u16>,
    scope: Vec<u16>,
}

impl Appears {
    pub fn new(source: u16, cells: Vec<u16>, adjacency: &Adjacency) -> Self {
        let mut scope = cells.clone();
        scope.push(source);
        Appears {
            source,
            cells: cells
                .into_iter()
                .filter(|&c| !adjacency.has(source, c))
                .collect(),
            scope,
        }
    }
}

impl Propagator for Appears {
    fn scope(&self) -> &[u16] {
        &self.scope
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let there = self.cells.iter().fold(0, |m, &c| m | view.get(c));
        view.keep(self.source, there)?;
        let wanted = view.get(self.source);
        let mut able = self.cells.iter().filter(|&&c| view.get(c) & wanted != 0);
        if let (Some(&only), None) = (able.next(), able.next()) {
            view.keep(only, wanted)?;
        }
        Ok(())
    }
}
