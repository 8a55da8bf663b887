//! `contains`: a multiset of digits appears among the cells.

use std::rc::Rc;

use super::{Adjacency, Broken, Propagator, View, bit};
use crate::puzzle::Color;

/// Ways of placing the digits that are tried one by one; above, the rule only counts.
const MANY: u64 = 20_000;

/// Tries every way of placing the digits in the cells, with the houses that the cells share.
pub(super) struct Contains {
    /// The multiset, sorted.
    digits: Vec<Color>,
    cells: Vec<u16>,
    adjacency: Rc<Adjacency>,
}

impl Contains {
    pub fn new(digits: &[Color], cells: Vec<u16>, adjacency: Rc<Adjacency>) -> Self {
        let mut digits = digits.to_vec();
        digits.sort_unstable();
        Contains {
            digits,
            cells,
            adjacency,
        }
    }

    /// (digit, times)
    fn demands(&self) -> impl Iterator<Item = (Color, usize)> {
        self.digits
            .chunk_by(|a, b| a == b)
            .map(|same| (same[0], same.len()))
    }
}

struct Placing<'a> {
    rule: &'a Contains,
    masks: &'a [u16],
    /// The digit placed in each cell as a bit, or 0.
    placed: Vec<u16>,
    support: Vec<u16>,
}

impl Placing<'_> {
    /// Places the digits from the `k`-th on; a repeated digit goes into ascending cells, the next
    /// one at `from` or later.
    fn place(&mut self, k: usize, from: usize) {
        let Some(&digit) = self.rule.digits.get(k) else {
            self.note();
            return;
        };
        let next_same = self.rule.digits.get(k + 1) == Some(&digit);
        for i in from..self.masks.len() {
            let b = bit(digit);
            if self.placed[i] != 0 || self.masks[i] & b == 0 {
                continue;
            }
            let cell = self.rule.cells[i];
            let clash = (0..self.masks.len())
                .any(|j| self.placed[j] == b && self.rule.adjacency.has(cell, self.rule.cells[j]));
            if clash {
                continue;
            }
            self.placed[i] = b;
            self.place(k + 1, if next_same { i + 1 } else { 0 });
            self.placed[i] = 0;
            if self.support == self.masks {
                return;
            }
        }
    }

    /// Every digit is placed: what the cells can have in this placement.
    fn note(&mut self) {
        let n = self.masks.len();
        let mut left = self.placed.clone();
        for i in 0..n {
            if left[i] != 0 {
                continue;
            }
            let mut mask = self.masks[i];
            for j in 0..n {
                if self.placed[j] & mask != 0
                    && self
                        .rule
                        .adjacency
                        .has(self.rule.cells[i], self.rule.cells[j])
                {
                    mask &= !self.placed[j];
                }
            }
            if mask == 0 {
                return;
            }
            left[i] = mask;
        }
        for (support, mask) in self.support.iter_mut().zip(left) {
            *support |= mask;
        }
    }
}

impl Propagator for Contains {
    fn scope(&self) -> &[u16] {
        &self.cells
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        if self.digits.len() > self.cells.len() {
            return Err(Broken(None));
        }
        let masks: Vec<u16> = self.cells.iter().map(|&v| view.get(v)).collect();
        let mut ways = 1u64;
        for (digit, times) in self.demands() {
            let places = masks.iter().filter(|&m| m & bit(digit) != 0).count();
            if places < times {
                return Err(Broken(None));
            }
            for k in 0..times {
                ways = ways.saturating_mul((places - k) as u64) / (k as u64 + 1);
            }
        }
        if ways <= MANY {
            let mut placing = Placing {
                rule: self,
                masks: &masks,
                placed: vec![0; masks.len()],
                support: vec![0; masks.len()],
            };
            placing.place(0, 0);
            let support = placing.support;
            if support.contains(&0) {
                return Err(Broken(None));
            }
            for (&v, mask) in self.cells.iter().zip(support) {
                view.keep(v, mask)?;
            }
            return Ok(());
        }
        let wanted = self.digits.iter().fold(0, |m, &d| m | bit(d));
        for (digit, times) in self.demands() {
            let has = |v: &&u16| view.get(**v) & bit(digit) != 0;
            let places: Vec<u16> = self.cells.iter().filter(has).copied().collect();
            if places.len() < times {
                return Err(Broken(None));
            }
            if places.len() == times {
                for v in places {
                    view.keep(v, bit(digit))?;
                }
            }
        }
        if self.digits.len() == self.cells.len() {
            for &v in &self.cells {
                view.keep(v, wanted)?;
            }
        }
        Ok(())
    }
}
