//! What each rule family rules out: one file a family.
//!
//! A propagator looks at the colours that the cells of its rule can still have and takes away
//! those that no way of fulfilling the rule uses, as far as it can see. It never takes a colour
//! that some solution has. Where all cells of a rule but one are decided it is exact, so that no
//! rule is ever found broken after its last cell was coloured.

mod all_different;
mod appears;
mod contains;
mod count;
mod definition;
mod distinct_count;
mod entropy;
mod equal_sum;
mod equals;
mod exact_times;
mod isomorphic;
mod same;
mod vudoku;

pub(super) use definition::holds;

use std::rc::Rc;

use crate::graph::Graph;
use crate::puzzle::{Cell, Puzzle, Rule};

/// The rule cannot be fulfilled; names the vertex that was left no colour, if it shows at one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken(pub Option<u16>);

/// The colours that every vertex can still have, while one rule narrows them.
pub(super) struct View<'a> {
    masks: &'a mut [u16],
    touched: &'a mut Vec<u16>,
}

impl<'a> View<'a> {
    pub fn new(masks: &'a mut [u16], touched: &'a mut Vec<u16>) -> Self {
        View { masks, touched }
    }

    /// The colours that `vertex` can still have.
    #[inline]
    pub fn get(&self, vertex: u16) -> u16 {
        self.masks[usize::from(vertex)]
    }

    /// The one colour left of `vertex` as a bit, or 0 while it is undecided.
    #[inline]
    pub fn fixed(&self, vertex: u16) -> u16 {
        let mask = self.get(vertex);
        if mask.is_power_of_two() { mask } else { 0 }
    }

    /// Leaves `vertex` only the colours in `mask`.
    #[inline]
    pub fn keep(&mut self, vertex: u16, mask: u16) -> Result<(), Broken> {
        let slot = &mut self.masks[usize::from(vertex)];
        let left = *slot & mask;
        if left == *slot {
            return Ok(());
        }
        *slot = left;
        self.touched.push(vertex);
        if left == 0 {
            return Err(Broken(Some(vertex)));
        }
        Ok(())
    }
}

/// One rule's way of ruling out colours.
pub(super) trait Propagator {
    /// The vertices whose change can matter to it.
    fn scope(&self) -> &[u16];

    /// Takes away colours that the rule excludes.
    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken>;

    /// As [`Propagator::narrow`], but where that is dear, sees less and takes less time: for
    /// trials, of which there are hundreds a node.
    fn narrow_quickly(&self, view: &mut View<'_>) -> Result<(), Broken> {
        self.narrow(view)
    }
}

/// Which vertices are neighbours, for propagators that reason with houses too.
pub(super) struct Adjacency {
    rows: Vec<[u64; 8]>,
}

impl Adjacency {
    pub fn new(graph: &Graph) -> Self {
        let mut rows = vec![[0u64; 8]; graph.vertices.len()];
        for &(a, b) in &graph.edges {
            rows[usize::from(a)][usize::from(b) / 64] |= 1 << (b % 64);
            rows[usize::from(b)][usize::from(a) / 64] |= 1 << (a % 64);
        }
        Adjacency { rows }
    }

    #[inline]
    pub fn has(&self, a: u16, b: u16) -> bool {
        self.rows[usize::from(a)][usize::from(b) / 64] >> (b % 64) & 1 != 0
    }
}

/// A propagator and the rule that it serves.
pub(super) struct Served {
    pub rule: u16,
    pub propagator: Box<dyn Propagator>,
}

/// The propagators of all rules but houses, in the order of the rules. With `alone`, each knows
/// its own rule only.
pub(super) fn build(puzzle: &Puzzle, graph: &Graph, alone: bool) -> Vec<Served> {
    let adjacency = Rc::new(Adjacency::new(graph));
    let digits = puzzle.digits;
    let index = |cell: &Cell| puzzle.index_of(*cell).map(|i| i as u16);
    let indices = |cells: &[Cell]| -> Vec<u16> { cells.iter().filter_map(index).collect() };
    let equals = if alone {
        (0..graph.vertices.len() as u16).collect()
    } else {
        equals::classes(puzzle, graph)
    };
    let mut all = Vec::new();
    for (i, rule) in puzzle.rules.iter().enumerate() {
        let propagator: Box<dyn Propagator> = match rule {
            Rule::House { .. } => continue,
            Rule::Contains {
                digits: list,
                cells,
            } => Box::new(contains::Contains::new(
                list,
                indices(cells),
                Rc::clone(&adjacency),
            )),
            Rule::Appears { source, cells } => match index(source) {
                Some(source) => Box::new(appears::Appears::new(source, indices(cells), &adjacency)),
                None => continue,
            },
            Rule::Clone { regions } => Box::new(same::Same::new(
                regions.iter().map(|r| indices(r)).collect(),
                &adjacency,
            )),
            Rule::Isomorphic { regions: [a, b] } => Box::new(isomorphic::Isomorphic::new(
                indices(a),
                indices(b),
                digits,
                &equals,
                &adjacency,
            )),
            Rule::Count { kind, cells } => {
                Box::new(count::Count::new(kind, indices(cells), digits, graph))
            }
            Rule::DistinctCount { value, cells, .. } => Box::new(
                distinct_count::DistinctCount::new(*value, indices(cells), digits, &adjacency),
            ),
            Rule::GlobalEntropy => Box::new(entropy::Entropy::new(puzzle)),
            Rule::EqualSum { segments } => Box::new(equal_sum::EqualSum::new(
                segments.iter().map(|s| indices(s)).collect(),
                digits,
                &adjacency,
            )),
            Rule::Vudoku { cells } => match indices(cells)[..] {
                [vertex, a, b] => Box::new(vudoku::Vudoku::new([vertex, a, b], digits, &adjacency)),
                _ => continue,
            },
        };
        all.push(Served {
            rule: i as u16,
            propagator,
        });
    }
    all
}

/// A propagator for each house, serving no rule.
pub(super) fn houses(graph: &Graph, digits: u8) -> Vec<Served> {
    graph
        .houses
        .iter()
        .filter(|h| h.cells.len() > 1)
        .map(|h| Served {
            rule: super::narrow::NO_RULE,
            propagator: Box::new(all_different::AllDifferent::new(h.cells.clone(), digits)),
        })
        .collect()
}

/// The colours in a mask, ascending.
pub(super) fn colors(mask: u16) -> impl Iterator<Item = u8> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let color = rest.trailing_zeros() as u8 + 1;
            rest &= rest - 1;
            color
        })
    })
}

/// The mask of one colour.
#[inline]
pub(super) fn bit(color: u8) -> u16 {
    1 << (color - 1)
}

#[cfg(test)]
mod tests;
