//! The verifier's own search for the number of solutions.
//!
//! Candidates as bit masks, naked and hidden singles, then the cell with the fewest candidates or
//! the colour with the fewest places in a unit. It has nothing in common with the search that is
//! verified but the puzzle. Rules are handled by trying each candidate of each open cell against
//! the rule's definition.

use super::board::Board;
use crate::puzzle::Color;

/// How the count ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Count {
    /// Solutions found, at most as many as were asked for.
    pub solutions: Vec<Vec<Color>>,
    /// Whether there are no more, or as many as were asked for were found.
    pub settled: bool,
    /// Branches tried.
    pub nodes: u64,
}

/// Counts solutions up to `limit`, trying at most `max_nodes` branches, while `stop` says no.
pub(super) fn count(board: &Board, limit: usize, max_nodes: u64, stop: &dyn Fn() -> bool) -> Count {
    let mut search = Search {
        board,
        limit,
        max_nodes,
        stop,
        nodes: 0,
        cut: false,
        solutions: Vec::new(),
        full_units: board
            .units
            .iter()
            .map(|u| u.cells.as_slice())
            .filter(|cells| cells.len() == usize::from(board.digits))
            .collect(),
        pending: Vec::new(),
    };
    let mut masks = vec![board.all; board.cells.len()];
    for (i, &given) in board.givens.iter().enumerate() {
        if given != 0 {
            masks[i] = 1 << (given - 1);
            search.pending.push(i as u16);
        }
    }
    // A puzzle of one colour has cells that are settled from the start.
    if board.digits == 1 {
        search.pending = (0..board.cells.len() as u16).collect();
    }
    if search.settle(&mut masks, true) {
        search.branch(&masks);
    }
    Count {
        settled: !search.cut,
        nodes: search.nodes,
        solutions: search.solutions,
    }
}

struct Search<'a> {
    board: &'a Board,
    limit: usize,
    max_nodes: u64,
    stop: &'a dyn Fn() -> bool,
    nodes: u64,
    cut: bool,
    solutions: Vec<Vec<Color>>,
    full_units: Vec<&'a [u16]>,
    /// Cells that came down to one candidate and have not told their peers.
    pending: Vec<u16>,
}

impl Search<'_> {
    fn branch(&mut self, masks: &[u16]) {
        if self.done() {
            return;
        }
        let Some(options) = self.options(masks) else {
            let colors: Vec<Color> = masks
                .iter()
                .map(|m| m.trailing_zeros() as Color + 1)
                .collect();
            if self.board.flaw(&colors).is_none() {
                self.solutions.push(colors);
            }
            return;
        };
        let mut next = masks.to_vec();
        for (cell, bit) in options {
            self.nodes += 1;
            if self.nodes > self.max_nodes || (self.nodes.is_multiple_of(64) && (self.stop)()) {
                self.cut = true;
            }
            if self.done() {
                return;
            }
            next.copy_from_slice(masks);
            next[usize::from(cell)] = bit;
            self.pending.clear();
            self.pending.push(cell);
            if self.settle(&mut next, false) {
                self.branch(&next);
            }
        }
    }

    fn done(&self) -> bool {
        self.cut || self.solutions.len() >= self.limit
    }

    /// The alternatives to try, one of which every solution takes and only one; `None` when every
    /// cell is settled.
    fn options(&self, masks: &[u16]) -> Option<Vec<(u16, u16)>> {
        let (cell, mask) = masks
            .iter()
            .enumerate()
            .filter(|(_, m)| m.count_ones() > 1)
            .min_by_key(|(_, m)| m.count_ones())?;
        let cells = || {
            (0..16)
                .map(|b| 1 << b)
                .filter(|b| mask & b != 0)
                .map(|b| (cell as u16, b))
                .collect()
        };
        let mut fewest = mask.count_ones() as usize;
        if fewest == 2 {
            return Some(cells());
        }
        let mut places = None;
        for unit in &self.full_units {
            for bit in (0..self.board.digits).map(|b| 1u16 << b) {
                let n = unit
                    .iter()
                    .filter(|&&c| masks[usize::from(c)] & bit != 0)
                    .count();
                if n > 1 && n < fewest {
                    fewest = n;
                    places = Some((*unit, bit));
                }
            }
        }
        Some(match places {
            None => cells(),
            Some((unit, bit)) => unit
                .iter()
                .filter(|&&c| masks[usize::from(c)] & bit != 0)
                .map(|&c| (c, bit))
                .collect(),
        })
    }

    /// Draws the conclusions; false if a cell or a colour has no place left.
    fn settle(&mut self, masks: &mut [u16], first: bool) -> bool {
        let mut touched: Vec<bool> = Vec::new();
        let before: Vec<u16> = if self.board.houses_only || first {
            Vec::new()
        } else {
            masks.to_vec()
        };
        let mut judged: Vec<u16> = before;
        loop {
            if !self.naked(masks) {
                return false;
            }
            match self.hidden(masks) {
                None => return false,
                Some(true) => continue,
                Some(false) => {}
            }
            if self.board.houses_only {
                return true;
            }
            touched.clear();
            touched.resize(self.board.laws.len(), judged.is_empty());
            for (cell, laws) in self.board.laws_of.iter().enumerate() {
                if judged.get(cell) != Some(&masks[cell]) {
                    for &law in laws {
                        touched[usize::from(law)] = true;
                    }
                }
            }
            judged.clear();
            judged.extend_from_slice(masks);
            let mut changed = false;
            for (law, _) in touched.iter().enumerate().filter(|(_, t)| **t) {
                match self.narrow(law, masks) {
                    None => return false,
                    Some(c) => changed |= c,
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// Tells the peers of settled cells.
    fn naked(&mut self, masks: &mut [u16]) -> bool {
        while let Some(cell) = self.pending.pop() {
            let bit = masks[usize::from(cell)];
            for &peer in &self.board.peers[usize::from(cell)] {
                let mask = &mut masks[usize::from(peer)];
                if *mask & bit != 0 {
                    *mask &= !bit;
                    match mask.count_ones() {
                        0 => return false,
                        1 => self.pending.push(peer),
                        _ => {}
                    }
                }
            }
        }
        true
    }

    /// Settles colours that have one place left in a unit that must hold them all; `None` if one
    /// has no place, else whether anything changed.
    fn hidden(&mut self, masks: &mut [u16]) -> Option<bool> {
        let mut changed = false;
        for u in 0..self.full_units.len() {
            let unit = self.full_units[u];
            let (mut once, mut twice) = (0u16, 0u16);
            for &cell in unit {
                let mask = masks[usize::from(cell)];
                twice |= once & mask;
                once |= mask;
            }
            if once != self.board.all {
                return None;
            }
            let single = once & !twice;
            if single == 0 {
                continue;
            }
            for &cell in unit {
                let mask = &mut masks[usize::from(cell)];
                let own = *mask & single;
                if own != 0 && *mask != own {
                    if own.count_ones() > 1 {
                        return None;
                    }
                    changed = true;
                    *mask = own;
                    self.pending.push(cell);
                }
            }
            // Peers must hear of it before the next unit is counted.
            if !self.naked(masks) {
                return None;
            }
        }
        Some(changed)
    }

    /// Removes candidates with which a rule can no longer be met; `None` if it cannot at all.
    fn narrow(&mut self, law: usize, masks: &mut [u16]) -> Option<bool> {
        let law = &self.board.laws[law];
        let digits = self.board.digits;
        if !law.possible(masks, digits) {
            return None;
        }
        let mut changed = false;
        let mut cells = law.cells();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let slot = usize::from(cell);
            let mask = masks[slot];
            if mask.count_ones() < 2 {
                continue;
            }
            let mut kept = 0;
            for bit in (0..16).map(|b| 1u16 << b).filter(|b| mask & b != 0) {
                masks[slot] = bit;
                if law.possible(masks, digits) {
                    kept |= bit;
                }
            }
            masks[slot] = kept;
            if kept == 0 {
                return None;
            }
            if kept != mask {
                changed = true;
                if kept.count_ones() == 1 {
                    self.pending.push(cell);
                }
            }
        }
        Some(changed)
    }
}
