//! `distinct_count`: exactly so many different digits.

use super::{Adjacency, Broken, Propagator, View, bit, colors};

/// Cells that share houses are taken together in groups of at most this many.
const GROUP: usize = 4;

/// Walks group by group with the set of digits used so far, both ways. Sees the houses that the
/// cells of one group share; more than ten digits are only counted.
pub(super) struct DistinctCount {
    value: u32,
    cells: Vec<u16>,
    /// The cells again, in groups whose cells all differ.
    groups: Vec<Vec<u16>>,
    digits: u8,
}

/// A set of digits that a group can have, and each cell's digits in the ways of having it.
struct Way {
    set: u16,
    support: [u16; GROUP],
}

impl DistinctCount {
    pub fn new(value: u16, cells: Vec<u16>, digits: u8, adjacency: &Adjacency) -> Self {
        let mut groups: Vec<Vec<u16>> = Vec::new();
        for &v in &cells {
            let fitting = groups
                .iter_mut()
                .find(|g| g.len() < GROUP && g.iter().all(|&u| adjacency.has(u, v)));
            match fitting {
                Some(group) => group.push(v),
                None => groups.push(vec![v]),
            }
        }
        DistinctCount {
            value: value.into(),
            cells,
            groups,
            digits,
        }
    }

    /// Exact but for houses across groups.
    fn by_sets(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let sets = 1usize << self.digits;
        let ways: Vec<Vec<Way>> = self
            .groups
            .iter()
            .map(|group| ways(group, sets, view))
            .collect();
        // levels[i]: the sets that the first i groups can make.
        let mut levels = vec![vec![0u16]];
        let mut seen = vec![false; sets];
        for ways in &ways {
            let mut next = Vec::new();
            for &set in &levels[levels.len() - 1] {
                for way in ways {
                    let with = set | way.set;
                    if with.count_ones() <= self.value
                        && !std::mem::replace(&mut seen[usize::from(with)], true)
                    {
                        next.push(with);
                    }
                }
            }
            for &set in &next {
                seen[usize::from(set)] = false;
            }
            levels.push(next);
        }
        // The sets from which the groups from i on reach the value.
        let mut good: Vec<bool> = (0..sets)
            .map(|set| (set as u32).count_ones() == self.value)
            .collect();
        for ((group, ways), level) in self.groups.iter().zip(&ways).zip(&levels).rev() {
            let mut support = [0u16; GROUP];
            let mut now = vec![false; sets];
            for way in ways {
                let mut used = false;
                for &set in level {
                    if good[usize::from(set | way.set)] {
                        now[usize::from(set)] = true;
                        used = true;
                    }
                }
                if used {
                    for (all, own) in support.iter_mut().zip(way.support) {
                        *all |= own;
                    }
                }
            }
            for (&v, mask) in group.iter().zip(support) {
                view.keep(v, mask)?;
            }
            good = now;
        }
        Ok(())
    }
}

/// Every set of digits that the cells of a group can have.
fn ways(group: &[u16], sets: usize, view: &View<'_>) -> Vec<Way> {
    const NONE: u16 = u16::MAX;
    let mut place = vec![NONE; sets];
    let mut ways = Vec::new();
    let mut masks = [0u16; GROUP];
    for (mask, &v) in masks.iter_mut().zip(group) {
        *mask = view.get(v);
    }
    fill(
        &masks[..group.len()],
        0,
        0,
        &mut [0; GROUP],
        &mut |set, chosen| {
            let slot = &mut place[usize::from(set)];
            if *slot == NONE {
                *slot = ways.len() as u16;
                ways.push(Way {
                    set,
                    support: [0; GROUP],
                });
            }
            let support = &mut ways[usize::from(*slot)].support;
            for (all, &own) in support.iter_mut().zip(chosen) {
                *all |= own;
            }
        },
    );
    ways
}

/// Every way of giving the cells from the `i`-th on different digits.
fn fill(
    masks: &[u16],
    i: usize,
    set: u16,
    chosen: &mut [u16; GROUP],
    found: &mut impl FnMut(u16, &[u16; GROUP]),
) {
    let Some(&mask) = masks.get(i) else {
        found(set, chosen);
        return;
    };
    for color in colors(mask & !set) {
        chosen[i] = bit(color);
        fill(masks, i + 1, set | bit(color), chosen, found);
    }
}

impl Propagator for DistinctCount {
    fn scope(&self) -> &[u16] {
        &self.cells
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        self.narrow_quickly(view)?;
        let open = self.cells.iter().any(|&v| view.fixed(v) == 0);
        if open && self.digits <= 10 {
            self.by_sets(view)?;
        }
        Ok(())
    }

    /// Counts the digits that are there and those that can come.
    fn narrow_quickly(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let used = self.cells.iter().fold(0, |m, &v| m | view.fixed(v));
        let open = self.cells.iter().filter(|&&v| view.fixed(v) == 0).count();
        let all = self.cells.iter().fold(0, |m, &v| m | view.get(v));
        let (have, most) = (used.count_ones(), used.count_ones() + open as u32);
        if have > self.value || most.min(all.count_ones()) < self.value {
            return Err(Broken(None));
        }
        let kept = if have == self.value {
            used
        } else if most == self.value {
            !used
        } else {
            return Ok(());
        };
        for &v in &self.cells {
            if view.fixed(v) == 0 {
                view.keep(v, kept)?;
            }
        }
        Ok(())
    }
}
