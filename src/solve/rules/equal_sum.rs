//! `equal_sum`: all segments have the same sum.

use super::{Adjacency, Broken, Propagator, View, bit, colors};

/// Works out every sum that each segment can still have, with the houses inside a segment, and
/// keeps the colours that some common sum needs.
pub(super) struct EqualSum {
    /// Each segment split into parts whose cells all differ.
    segments: Vec<Vec<Vec<u16>>>,
    scope: Vec<u16>,
    digits: u8,
}

/// A set of sums, one flag a sum.
type Sums = Vec<bool>;

impl EqualSum {
    pub fn new(segments: Vec<Vec<u16>>, digits: u8, adjacency: &Adjacency) -> Self {
        // The sets of colours of larger parts would be too many for large digits.
        let most = if digits <= 10 { usize::from(digits) } else { 4 };
        let scope = segments.concat();
        let segments = segments
            .into_iter()
            .map(|cells| {
                let mut parts: Vec<Vec<u16>> = Vec::new();
                for v in cells {
                    let fitting = parts
                        .iter_mut()
                        .filter(|p| p.len() < most && p.iter().all(|&u| adjacency.has(u, v)))
                        .max_by_key(|p| p.len());
                    match fitting {
                        Some(part) => part.push(v),
                        None => parts.push(vec![v]),
                    }
                }
                parts
            })
            .collect();
        EqualSum {
            segments,
            scope,
            digits,
        }
    }

    /// For a part: the sets of colours that its first i cells can have, for each i, as the
    /// flags of a walk. A set of different colours has one sum, so sets are enough.
    fn walk(&self, part: &[u16], view: &View<'_>) -> Vec<Vec<u16>> {
        let mut levels = vec![vec![0u16]];
        let mut seen = vec![false; 1 << self.digits];
        for &v in part {
            let mask = view.get(v);
            let mut next = Vec::new();
            if let Some(level) = levels.last() {
                for &set in level {
                    for color in colors(mask & !set) {
                        let with = set | bit(color);
                        if !std::mem::replace(&mut seen[usize::from(with)], true) {
                            next.push(with);
                        }
                    }
                }
            }
            for &set in &next {
                seen[usize::from(set)] = false;
            }
            levels.push(next);
        }
        levels
    }

    /// Leaves a part only the colours that some sum in `wanted` uses.
    fn keep(
        &self,
        part: &[u16],
        levels: &[Vec<u16>],
        wanted: &Sums,
        view: &mut View<'_>,
    ) -> Result<(), Broken> {
        let mut good = vec![false; 1 << self.digits];
        for &set in levels.last().into_iter().flatten() {
            good[usize::from(set)] = wanted.get(sum(set)).copied().unwrap_or(false);
        }
        for (i, &v) in part.iter().enumerate().rev() {
            let mask = view.get(v);
            let mut support = 0;
            for &set in &levels[i] {
                let mut any = false;
                for color in colors(mask & !set) {
                    if good[usize::from(set | bit(color))] {
                        support |= bit(color);
                        any = true;
                    }
                }
                good[usize::from(set)] = any;
            }
            view.keep(v, support)?;
        }
        Ok(())
    }
}

/// The sum of the colours in a set.
fn sum(set: u16) -> usize {
    colors(set).map(usize::from).sum()
}

/// Every sum of one of `a` and one of `b`.
fn add(a: &Sums, b: &Sums) -> Sums {
    let mut all = vec![false; (a.len() + b.len()).saturating_sub(1)];
    for (i, _) in a.iter().enumerate().filter(|(_, on)| **on) {
        for (j, _) in b.iter().enumerate().filter(|(_, on)| **on) {
            all[i + j] = true;
        }
    }
    all
}

impl Propagator for EqualSum {
    fn scope(&self) -> &[u16] {
        &self.scope
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let mut walks: Vec<Vec<Vec<Vec<u16>>>> = Vec::with_capacity(self.segments.len());
        let mut sums: Vec<Vec<Sums>> = Vec::with_capacity(self.segments.len());
        let mut common: Option<Sums> = None;
        for parts in &self.segments {
            let levels: Vec<_> = parts.iter().map(|p| self.walk(p, view)).collect();
            let of_parts: Vec<Sums> = levels
                .iter()
                .zip(parts)
                .map(|(levels, part)| {
                    let mut sums = vec![false; part.len() * usize::from(self.digits) + 1];
                    for &set in levels.last().into_iter().flatten() {
                        sums[sum(set)] = true;
                    }
                    sums
                })
                .collect();
            let whole = of_parts.iter().fold(vec![true], |all, s| add(&all, s));
            common = Some(match common {
                None => whole,
                Some(common) => common.iter().zip(&whole).map(|(&a, &b)| a && b).collect(),
            });
            walks.push(levels);
            sums.push(of_parts);
        }
        let common = common.unwrap_or_default();
        if !common.contains(&true) {
            return Err(Broken(None));
        }
        for (i, parts) in self.segments.iter().enumerate() {
            for (j, part) in parts.iter().enumerate() {
                // What the other parts of the segment can add to this one.
                let others = sums[i]
                    .iter()
                    .enumerate()
                    .filter(|(k, _)| *k != j)
                    .fold(vec![true], |all, (_, s)| add(&all, s));
                let wanted: Sums = (0..sums[i][j].len())
                    .map(|own| {
                        others
                            .iter()
                            .enumerate()
                            .any(|(o, &on)| on && common.get(own + o).copied().unwrap_or(false))
                    })
                    .collect();
                self.keep(part, &walks[i][j], &wanted, view)?;
            }
        }
        Ok(())
    }

    /// Bounds the sums from both ends, without houses.
    fn narrow_quickly(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let low = |v: u16, view: &View<'_>| view.get(v).trailing_zeros() + 1;
        let high = |v: u16, view: &View<'_>| 16 - view.get(v).leading_zeros();
        let (mut least, mut most) = (0, u32::MAX);
        let mut ends = Vec::with_capacity(self.segments.len());
        for parts in &self.segments {
            let cells = || parts.iter().flatten();
            let own_least: u32 = cells().map(|&v| low(v, view)).sum();
            let own_most: u32 = cells().map(|&v| high(v, view)).sum();
            least = least.max(own_least);
            most = most.min(own_most);
            ends.push((own_least, own_most));
        }
        if least > most {
            return Err(Broken(None));
        }
        for (parts, (own_least, own_most)) in self.segments.iter().zip(ends) {
            for &v in parts.iter().flatten() {
                // With all others at their least, at their most.
                let top = most + low(v, view) - own_least;
                let bottom = (least + high(v, view)).saturating_sub(own_most);
                let below = if top < 16 {
                    (1u16 << top) - 1
                } else {
                    u16::MAX
                };
                let under = ((1u32 << bottom.saturating_sub(1).min(16)) - 1) as u16;
                view.keep(v, below & !under)?;
            }
        }
        Ok(())
    }
}
