//! `distinct_count`: exactly so many different digits.

use super::{Broken, Propagator, View, colors};

/// Walks the cells with the set of digits used so far, both ways. Sees all but the houses.
pub(super) struct DistinctCount {
    value: u32,
    cells: Vec<u16>,
    digits: u8,
}

impl DistinctCount {
    pub fn new(value: u16, cells: Vec<u16>, digits: u8) -> Self {
        DistinctCount {
            value: value.into(),
            cells,
            digits,
        }
    }

    /// Exact over sets of used digits; for few digits only.
    fn by_sets(&self, open: &[u16], used: u16, view: &mut View<'_>) -> Result<(), Broken> {
        let sets = 1usize << self.digits;
        let n = open.len();
        // before[i]: the sets that the first i open cells can make.
        let mut before = vec![false; (n + 1) * sets];
        before[usize::from(used)] = true;
        for (i, &v) in open.iter().enumerate() {
            let mask = view.get(v);
            let (done, next) = before[i * sets..].split_at_mut(sets);
            for set in 0..sets {
                if done[set] {
                    for color in colors(mask) {
                        let with = set | 1 << (color - 1);
                        if (with as u32).count_ones() <= self.value {
                            next[with] = true;
                        }
                    }
                }
            }
        }
        // after: the sets from which the cells from i on reach the value.
        let mut after: Vec<bool> = (0..sets)
            .map(|set| (set as u32).count_ones() == self.value)
            .collect();
        for (i, &v) in open.iter().enumerate().rev() {
            let mask = view.get(v);
            let reached = &before[i * sets..(i + 1) * sets];
            let mut support = 0;
            let mut now = vec![false; sets];
            for set in 0..sets {
                if reached[set] {
                    for color in colors(mask) {
                        if after[set | 1 << (color - 1)] {
                            support |= 1 << (color - 1);
                            now[set] = true;
                        }
                    }
                }
            }
            view.keep(v, support)?;
            after = now;
        }
        Ok(())
    }
}

impl Propagator for DistinctCount {
    fn scope(&self) -> &[u16] {
        &self.cells
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let used = self.cells.iter().fold(0, |m, &v| m | view.fixed(v));
        let open: Vec<u16> = self
            .cells
            .iter()
            .copied()
            .filter(|&v| view.fixed(v) == 0)
            .collect();
        let all = self.cells.iter().fold(0, |m, &v| m | view.get(v));
        let (have, most) = (used.count_ones(), used.count_ones() + open.len() as u32);
        if have > self.value || most.min(all.count_ones()) < self.value {
            return Err(Broken(None));
        }
        if have == self.value {
            for &v in &open {
                view.keep(v, used)?;
            }
        } else if most == self.value {
            for &v in &open {
                view.keep(v, !used)?;
            }
        }
        if self.digits <= 10 && !open.is_empty() {
            self.by_sets(&open, used, view)?;
        }
        Ok(())
    }
}
