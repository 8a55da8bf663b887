//! `count`: how often digits appear among the cells.

use super::exact_times::{self, Class};
use super::{Broken, Propagator, View, bit};
use crate::graph::Graph;
use crate::puzzle::CountKind;

/// Cells of the rule that cannot hold a digit twice, and cells that must hold it if those do not.
struct Group {
    /// The rule's cells in one house.
    inside: Vec<u16>,
    /// The house's other cells, where the house holds every digit; else `None`.
    outside: Option<Vec<u16>>,
}

/// Bounds each digit's number from below and above, cell by cell and house by house.
pub(super) struct Count {
    kind: CountKind,
    cells: Vec<u16>,
    digits: u8,
    /// Ways of splitting the cells into groups: by rows, by columns, by boxes, …
    splits: Vec<Vec<Group>>,
    /// Sets of digits whose numbers together are known: none for `circles`.
    classes: Vec<Class>,
    scope: Vec<u16>,
}

impl Count {
    pub fn new(kind: &CountKind, cells: Vec<u16>, digits: u8, graph: &Graph) -> Self {
        let mut splits: Vec<(Vec<bool>, Vec<Group>)> = Vec::new();
        let inside_of = |house: &[u16]| -> Vec<u16> {
            house
                .iter()
                .copied()
                .filter(|v| cells.contains(v))
                .collect()
        };
        for house in &graph.houses {
            let inside = inside_of(&house.cells);
            if inside.is_empty() {
                continue;
            }
            let free = |taken: &[bool]| house.cells.iter().all(|&v| !taken[usize::from(v)]);
            // Houses come by kind, so that the last split has room for all of one kind.
            let place = match splits.iter().rposition(|(taken, _)| free(taken)) {
                Some(i) => i,
                None => {
                    splits.push((vec![false; graph.vertices.len()], Vec::new()));
                    splits.len() - 1
                }
            };
            let (taken, groups) = &mut splits[place];
            for &v in &house.cells {
                taken[usize::from(v)] = true;
            }
            let full = house.cells.len() == usize::from(digits);
            groups.push(Group {
                outside: full.then(|| {
                    house
                        .cells
                        .iter()
                        .copied()
                        .filter(|v| !cells.contains(v))
                        .collect()
                }),
                inside,
            });
        }
        let mut splits: Vec<Vec<Group>> =
            splits
                .into_iter()
                .map(|(taken, mut groups)| {
                    groups.extend(cells.iter().filter(|&&v| !taken[usize::from(v)]).map(|&v| {
                        Group {
                            inside: vec![v],
                            outside: None,
                        }
                    }));
                    groups
                })
                .collect();
        if splits.is_empty() {
            splits.push(
                cells
                    .iter()
                    .map(|&v| Group {
                        inside: vec![v],
                        outside: None,
                    })
                    .collect(),
            );
        }
        let mut scope: Vec<u16> = splits
            .iter()
            .flatten()
            .flat_map(|g| g.outside.iter().flatten().chain(&g.inside))
            .copied()
            .chain(cells.iter().copied())
            .collect();
        scope.sort_unstable();
        scope.dedup();
        let classes = match kind {
            CountKind::Each(k) => (1..=digits)
                .map(|d| Class {
                    digits: bit(d),
                    times: (*k).into(),
                })
                .collect(),
            CountKind::Counts(counts) => {
                let mut classes: Vec<Class> = counts
                    .iter()
                    .map(|&(d, times)| Class {
                        digits: bit(d),
                        times: times.into(),
                    })
                    .collect();
                let listed = classes.iter().fold(0, |m, c| m | c.digits);
                let sum: usize = classes.iter().map(|c| c.times).sum();
                classes.push(Class {
                    digits: !listed,
                    times: cells.len().saturating_sub(sum),
                });
                classes
            }
            CountKind::Circles => Vec::new(),
        };
        Count {
            classes,
            kind: kind.clone(),
            cells,
            digits,
            splits,
            scope,
        }
    }

    /// The fewest and the most times that a digit can appear.
    fn bounds(&self, digit: u8, view: &View<'_>) -> (u32, u32) {
        let b = bit(digit);
        let has = |v: &u16| view.get(*v) & b != 0;
        let decided = self.cells.iter().filter(|&&v| view.fixed(v) == b).count();
        let (mut low, mut high) = (decided as u32, u32::MAX);
        for split in &self.splits {
            let can = split.iter().filter(|g| g.inside.iter().any(has)).count();
            let must = split.iter().filter(|g| must_hold(g, b, view)).count();
            low = low.max(must as u32);
            high = high.min(can as u32);
        }
        (low, high)
    }

    /// Makes `digit` appear at least `least` and at most `most` times.
    fn limit(&self, digit: u8, least: u32, most: u32, view: &mut View<'_>) -> Result<(), Broken> {
        let b = bit(digit);
        let (low, high) = self.bounds(digit, view);
        if low > most || high < least {
            return Err(Broken(None));
        }
        for split in &self.splits {
            let count = |test: &dyn Fn(&Group) -> bool| split.iter().filter(|g| test(g)).count();
            let can = count(&|g| g.inside.iter().any(|&v| view.get(v) & b != 0)) as u32;
            let must = count(&|g| must_hold(g, b, view)) as u32;
            if can == least {
                // Every group that can hold it does: inside, and where only one cell can, there.
                for group in split {
                    let mut able = group.inside.iter().filter(|&&v| view.get(v) & b != 0);
                    if let (Some(&only), None) = (able.next(), able.next()) {
                        view.keep(only, b)?;
                    }
                    if group.inside.iter().any(|&v| view.get(v) & b != 0) {
                        for &v in group.outside.iter().flatten() {
                            view.keep(v, !b)?;
                        }
                    }
                }
            }
            if must == most {
                for group in split {
                    if !must_hold(group, b, view) {
                        for &v in &group.inside {
                            view.keep(v, !b)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn circles(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let total = self.cells.len();
        // Which digits appear: each as often as its own value, together in all cells.
        let mut may = [[false; 2]; 17];
        for digit in 1..=self.digits {
            let (low, high) = self.bounds(digit, view);
            let value = u32::from(digit);
            may[usize::from(digit)] = [low == 0, low <= value && high >= value];
        }
        let digits = usize::from(self.digits);
        let mut before = vec![vec![false; total + 1]; digits + 2];
        before[1][0] = true;
        for digit in 1..=digits {
            for sum in 0..=total {
                if before[digit][sum] {
                    if may[digit][0] {
                        before[digit + 1][sum] = true;
                    }
                    if may[digit][1] && sum + digit <= total {
                        before[digit + 1][sum + digit] = true;
                    }
                }
            }
        }
        let mut after = vec![false; total + 1];
        after[total] = true;
        for digit in (1..=digits).rev() {
            let mut can = [false; 2];
            let mut now = vec![false; total + 1];
            for sum in 0..=total {
                if before[digit][sum] {
                    if may[digit][0] && after[sum] {
                        can[0] = true;
                        now[sum] = true;
                    }
                    if may[digit][1] && sum + digit <= total && after[sum + digit] {
                        can[1] = true;
                        now[sum] = true;
                    }
                }
            }
            after = now;
            let value = digit as u32;
            match can {
                [false, false] => return Err(Broken(None)),
                [true, false] => self.limit(digit as u8, 0, 0, view)?,
                [false, true] => self.limit(digit as u8, value, value, view)?,
                [true, true] => self.limit(digit as u8, 0, value, view)?,
            }
        }
        Ok(())
    }
}

/// Whether a group holds the digit in every case.
fn must_hold(group: &Group, b: u16, view: &View<'_>) -> bool {
    group.inside.iter().any(|&v| view.fixed(v) == b)
        || group
            .outside
            .as_ref()
            .is_some_and(|out| out.iter().all(|&v| view.get(v) & b == 0))
}

impl Propagator for Count {
    fn scope(&self) -> &[u16] {
        &self.scope
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        match &self.kind {
            CountKind::Each(k) => {
                if self.cells.len() != usize::from(*k) * usize::from(self.digits) {
                    return Err(Broken(None));
                }
                exact_times::filter(&self.cells, &self.classes, view)?;
                for digit in 1..=self.digits {
                    self.limit(digit, (*k).into(), (*k).into(), view)?;
                }
            }
            CountKind::Counts(counts) => {
                let sum: usize = counts.iter().map(|&(_, times)| usize::from(times)).sum();
                if sum > self.cells.len() {
                    return Err(Broken(None));
                }
                if sum == self.cells.len() {
                    let listed = counts.iter().fold(0, |m, &(d, _)| m | bit(d));
                    for &v in &self.cells {
                        view.keep(v, listed)?;
                    }
                }
                exact_times::filter(&self.cells, &self.classes, view)?;
                for &(digit, times) in counts {
                    self.limit(digit, times.into(), times.into(), view)?;
                }
            }
            CountKind::Circles => self.circles(view)?,
        }
        Ok(())
    }

    /// Counts the cells that have a digit and those that can, without houses.
    fn narrow_quickly(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let circles = self.kind == CountKind::Circles;
        let digit = |d: u8| Class {
            digits: bit(d),
            times: d.into(),
        };
        let by_value: Vec<Class> = match circles {
            true => (1..=self.digits).map(digit).collect(),
            false => Vec::new(),
        };
        let classes = if circles { &by_value } else { &self.classes };
        for class in classes {
            let (mut decided, mut able) = (0, 0);
            for &v in &self.cells {
                let mask = view.get(v);
                decided += usize::from(mask & !class.digits == 0);
                able += usize::from(mask & class.digits != 0);
            }
            if decided > class.times {
                return Err(Broken(None));
            }
            if circles && decided == 0 {
                continue;
            }
            if able < class.times {
                return Err(Broken(None));
            }
            if able == class.times || decided == class.times {
                for &v in &self.cells {
                    let mask = view.get(v);
                    if mask & !class.digits == 0 {
                        continue;
                    }
                    if decided == class.times {
                        view.keep(v, !class.digits)?;
                    } else if mask & class.digits != 0 {
                        view.keep(v, class.digits)?;
                    }
                }
            }
        }
        Ok(())
    }
}
