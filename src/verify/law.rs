//! Each rule family by its definition: what a full colouring must satisfy, word for word.

use crate::puzzle::{Cell, Color, CountKind, Rule};

/// A rule with its cells as indices.
#[derive(Debug, Clone)]
pub(super) enum Law {
    /// The cells all differ.
    House { cells: Vec<u16> },
    /// Each digit at least so often.
    Contains {
        need: Vec<(Color, usize)>,
        cells: Vec<u16>,
    },
    /// The source's digit is among the cells.
    Appears { source: u16, cells: Vec<u16> },
    /// The cells of each group are equal: one group a position, one member a region.
    Clone { groups: Vec<Vec<u16>> },
    /// One permutation of the colours maps each left cell to its right one.
    Isomorphic { pairs: Vec<(u16, u16)> },
    /// Each digit exactly so often.
    Counts {
        exact: Vec<(Color, usize)>,
        cells: Vec<u16>,
        each: bool,
    },
    /// A digit that appears, appears as often as it says.
    Circles { cells: Vec<u16> },
    /// Exactly so many different digits.
    Distinct { value: usize, cells: Vec<u16> },
    /// Each window holds a low, a middle and a high digit; `third` is D / 3.
    Entropy { windows: Vec<[u16; 4]>, third: u8 },
    /// The segments' sums are equal.
    EqualSum { segments: Vec<Vec<u16>> },
    /// The vertex is the sum or the difference of the arms.
    Vudoku { cells: [u16; 3] },
}

impl Law {
    /// Resolves a rule's cells with `at`.
    pub fn new(
        rule: &Rule,
        digits: u8,
        all: &[Cell],
        at: &impl Fn(Cell) -> Result<u16, String>,
    ) -> Result<Self, String> {
        let list = |cells: &[Cell]| cells.iter().map(|&c| at(c)).collect::<Result<Vec<_>, _>>();
        Ok(match rule {
            Rule::House { cells } => Law::House {
                cells: list(cells)?,
            },
            Rule::Contains { digits, cells } => {
                let mut need: Vec<(Color, usize)> = Vec::new();
                for &digit in digits {
                    match need.iter_mut().find(|(d, _)| *d == digit) {
                        Some((_, n)) => *n += 1,
                        None => need.push((digit, 1)),
                    }
                }
                Law::Contains {
                    need,
                    cells: list(cells)?,
                }
            }
            Rule::Appears { source, cells } => Law::Appears {
                source: at(*source)?,
                cells: list(cells)?,
            },
            Rule::Clone { regions } => {
                let regions = regions
                    .iter()
                    .map(|r| list(r))
                    .collect::<Result<Vec<_>, _>>()?;
                let length = regions.first().map_or(0, Vec::len);
                if regions.iter().any(|r| r.len() != length) {
                    return Err("a clone rule has regions of different lengths".to_string());
                }
                Law::Clone {
                    groups: (0..length)
                        .map(|i| regions.iter().map(|r| r[i]).collect())
                        .collect(),
                }
            }
            Rule::Isomorphic { regions } => {
                let (a, b) = (list(&regions[0])?, list(&regions[1])?);
                if a.len() != b.len() {
                    return Err("an isomorphic rule has regions of different lengths".to_string());
                }
                Law::Isomorphic {
                    pairs: a.into_iter().zip(b).collect(),
                }
            }
            Rule::Count { kind, cells } => {
                let cells = list(cells)?;
                match kind {
                    CountKind::Each(k) => Law::Counts {
                        exact: (1..=digits).map(|d| (d, usize::from(*k))).collect(),
                        cells,
                        each: true,
                    },
                    CountKind::Counts(counts) => Law::Counts {
                        exact: counts.iter().map(|&(d, n)| (d, usize::from(n))).collect(),
                        cells,
                        each: false,
                    },
                    CountKind::Circles => Law::Circles { cells },
                }
            }
            Rule::DistinctCount { value, cells, .. } => Law::Distinct {
                value: usize::from(*value),
                cells: list(cells)?,
            },
            Rule::GlobalEntropy => {
                let mut windows = Vec::new();
                for &cell in all {
                    let mut window = [0; 4];
                    let mut whole = true;
                    for (slot, (r, c)) in window.iter_mut().zip([(0, 0), (0, 1), (1, 0), (1, 1)]) {
                        let there = Cell {
                            row: cell.row.saturating_add(r),
                            col: cell.col.saturating_add(c),
                        };
                        match all.binary_search(&there) {
                            Ok(i) => *slot = i as u16,
                            Err(_) => whole = false,
                        }
                    }
                    if whole {
                        windows.push(window);
                    }
                }
                Law::Entropy {
                    windows,
                    third: digits / 3,
                }
            }
            Rule::EqualSum { segments } => Law::EqualSum {
                segments: segments.iter().map(|s| list(s)).collect::<Result<_, _>>()?,
            },
            Rule::Vudoku { cells } => Law::Vudoku {
                cells: [at(cells[0])?, at(cells[1])?, at(cells[2])?],
            },
        })
    }

    /// The family's name in files.
    pub fn family(&self) -> &'static str {
        match self {
            Law::House { .. } => "house",
            Law::Contains { .. } => "contains",
            Law::Appears { .. } => "appears",
            Law::Clone { .. } => "clone",
            Law::Isomorphic { .. } => "isomorphic",
            Law::Counts { .. } | Law::Circles { .. } => "count",
            Law::Distinct { .. } => "distinct_count",
            Law::Entropy { .. } => "global_entropy",
            Law::EqualSum { .. } => "equal_sum",
            Law::Vudoku { .. } => "vudoku",
        }
    }

    /// Every cell that it speaks of; a cell may come twice.
    pub fn cells(&self) -> Vec<u16> {
        match self {
            Law::House { cells }
            | Law::Contains { cells, .. }
            | Law::Counts { cells, .. }
            | Law::Circles { cells }
            | Law::Distinct { cells, .. } => cells.clone(),
            Law::Appears { source, cells } => {
                let mut all = vec![*source];
                all.extend(cells);
                all
            }
            Law::Clone { groups } => groups.concat(),
            Law::Isomorphic { pairs } => pairs.iter().flat_map(|&(a, b)| [a, b]).collect(),
            Law::Entropy { windows, .. } => windows.concat(),
            Law::EqualSum { segments } => segments.concat(),
            Law::Vudoku { cells } => cells.to_vec(),
        }
    }

    /// Whether a full colouring satisfies the definition.
    pub fn holds(&self, colors: &[Color]) -> bool {
        let of = |cell: u16| colors[usize::from(cell)];
        let times = |cells: &[u16], digit: Color| cells.iter().filter(|&&c| of(c) == digit).count();
        match self {
            Law::House { cells } => cells
                .iter()
                .enumerate()
                .all(|(i, &a)| cells[i + 1..].iter().all(|&b| of(a) != of(b))),
            Law::Contains { need, cells } => need.iter().all(|&(d, n)| times(cells, d) >= n),
            Law::Appears { source, cells } => cells.iter().any(|&c| of(c) == of(*source)),
            Law::Clone { groups } => groups.iter().all(|g| g.iter().all(|&c| of(c) == of(g[0]))),
            Law::Isomorphic { pairs } => pairs.iter().all(|&(a, b)| {
                // A relabelling is a function with an inverse: equal goes with equal.
                pairs
                    .iter()
                    .all(|&(x, y)| (of(a) == of(x)) == (of(b) == of(y)))
            }),
            Law::Counts { exact, cells, .. } => exact.iter().all(|&(d, n)| times(cells, d) == n),
            Law::Circles { cells } => cells
                .iter()
                .all(|&c| times(cells, of(c)) == usize::from(of(c))),
            Law::Distinct { value, cells } => {
                let mut seen: Vec<Color> = cells.iter().map(|&c| of(c)).collect();
                seen.sort_unstable();
                seen.dedup();
                seen.len() == *value
            }
            Law::Entropy { windows, third } => windows.iter().all(|w| {
                (0..3).all(|class| {
                    w.iter()
                        .any(|&c| of(c) > class * third && of(c) <= (class + 1) * third)
                })
            }),
            Law::EqualSum { segments } => {
                let sum = |s: &[u16]| s.iter().map(|&c| u32::from(of(c))).sum::<u32>();
                segments.iter().all(|s| sum(s) == sum(&segments[0]))
            }
            Law::Vudoku { cells } => {
                let [v, a, b] = cells.map(of);
                u16::from(v) == u16::from(a) + u16::from(b) || v == a.abs_diff(b)
            }
        }
    }

    /// Whether the coloured cells (0 is open) already contradict the definition, whatever the open
    /// ones become, by what they hold and not by how few of them are left.
    pub fn contradicted(&self, colors: &[Color]) -> bool {
        let of = |cell: u16| colors[usize::from(cell)];
        let full = |cells: &[u16]| cells.iter().all(|&c| of(c) != 0);
        let times = |cells: &[u16], digit: Color| cells.iter().filter(|&&c| of(c) == digit).count();
        if full(&self.cells()) {
            return !self.holds(colors);
        }
        match self {
            Law::House { cells } => cells.iter().any(|&c| of(c) != 0 && times(cells, of(c)) > 1),
            // What is missing may still come.
            Law::Contains { .. } | Law::Appears { .. } | Law::Vudoku { .. } => false,
            Law::Clone { groups } => groups.iter().any(|g| {
                let mut known = g.iter().map(|&c| of(c)).filter(|&c| c != 0);
                let first = known.next();
                known.any(|c| Some(c) != first)
            }),
            Law::Isomorphic { pairs } => {
                let known: Vec<_> = pairs
                    .iter()
                    .map(|&(a, b)| (of(a), of(b)))
                    .filter(|&(a, b)| a != 0 && b != 0)
                    .collect();
                known
                    .iter()
                    .any(|(a, b)| known.iter().any(|(x, y)| (a == x) != (b == y)))
            }
            Law::Counts { exact, cells, .. } => exact.iter().any(|&(d, n)| times(cells, d) > n),
            Law::Circles { cells } => cells
                .iter()
                .any(|&c| of(c) != 0 && times(cells, of(c)) > usize::from(of(c))),
            Law::Distinct { value, cells } => {
                let mut seen: Vec<Color> = cells.iter().map(|&c| of(c)).collect();
                seen.retain(|&c| c != 0);
                seen.sort_unstable();
                seen.dedup();
                seen.len() > *value
            }
            Law::Entropy { windows, third } => windows.iter().filter(|w| full(&w[..])).any(|w| {
                !(0..3).all(|class| {
                    w.iter()
                        .any(|&c| of(c) > class * third && of(c) <= (class + 1) * third)
                })
            }),
            Law::EqualSum { segments } => {
                let mut sums = segments
                    .iter()
                    .filter(|s| full(s))
                    .map(|s| s.iter().map(|&c| u32::from(of(c))).sum::<u32>());
                let first = sums.next();
                sums.any(|s| Some(s) != first)
            }
        }
    }
}
