//! Replays the events of a search and judges each.

use std::cmp::Ordering;

use super::board::Board;
use crate::puzzle::{Color, ColorSet};
use crate::trace::Event;

/// A wrong event: the cell it is about, and what is wrong in words.
pub(super) struct Wrong {
    pub cell: Option<u16>,
    pub why: String,
}

/// An assignment that stands.
#[derive(Debug, Clone, Copy)]
struct Standing {
    vertex: u16,
    color: Color,
    saturation: u8,
    legal: u16,
}

/// What the search must do next.
#[derive(Debug, Clone, Copy)]
enum Next {
    /// Choose an open cell, or report that there is none.
    Choose,
    /// Give the cell whose assignment was just taken back its next legal colour.
    Retry(Standing),
    /// Take back the last assignment.
    Back,
    /// Nothing: every branch was tried.
    Exhausted,
    /// Nothing: every cell is coloured.
    Solved,
}

/// A solution that the trace claims, followed along the branch.
struct Claim<'a> {
    name: &'static str,
    colors: &'a [Color],
    /// Standing assignments that differ from it.
    off: usize,
}

/// A search, replayed.
pub(super) struct Walk<'a> {
    board: &'a Board,
    colors: Vec<Color>,
    /// How many neighbours of each cell have each colour: `cell * 16 + color - 1`.
    around: Vec<u16>,
    /// The colours that some neighbour of each cell has.
    taken: Vec<u16>,
    open: usize,
    stack: Vec<Standing>,
    next: Next,
    claims: Vec<Claim<'a>>,
    /// One bit for a coloured cell, all colours for an open one; kept where rules need it.
    masks: Vec<u16>,
    pub assignments: u64,
    pub undos: u64,
    pub dead_ends: u64,
    pub max_depth: usize,
    /// Dead ends that follow neither from houses nor from a rule's definition.
    pub unproved_dead_ends: u64,
    /// Colours that a `legal` list leaves out though no house and no definition does.
    pub unproved_exclusions: u64,
    /// Assignments after which a rule can no longer be met, though nothing contradicts it yet.
    pub unattainable: u64,
}

impl<'a> Walk<'a> {
    /// The state before the first event. Each claim must be a legal completion.
    pub fn new(board: &'a Board, claims: &[(&'static str, &'a [Color])]) -> Self {
        let n = board.cells.len();
        let mut walk = Walk {
            board,
            colors: vec![0; n],
            around: vec![0; n * 16],
            taken: vec![0; n],
            open: n,
            stack: Vec::new(),
            next: Next::Choose,
            claims: claims
                .iter()
                .map(|&(name, colors)| Claim {
                    name,
                    colors,
                    off: 0,
                })
                .collect(),
            masks: vec![board.all; n],
            assignments: 0,
            undos: 0,
            dead_ends: 0,
            max_depth: 0,
            unproved_dead_ends: 0,
            unproved_exclusions: 0,
            unattainable: 0,
        };
        for (v, &given) in board.givens.iter().enumerate() {
            if given != 0 {
                walk.set(v as u16, given);
            }
        }
        walk
    }

    /// Which of two legal colourings the search meets first, where houses alone decide what is
    /// legal: the one with the lower colour in the first chosen cell in which they differ.
    pub fn order(board: &'a Board, a: &[Color], b: &[Color]) -> Ordering {
        let mut walk = Walk::new(board, &[]);
        while let Some((_, _, vertex)) = walk.first_choice() {
            let v = usize::from(vertex);
            if a[v] != b[v] {
                return a[v].cmp(&b[v]);
            }
            walk.set(vertex, a[v]);
            walk.stack.push(Standing {
                vertex,
                color: a[v],
                saturation: 0,
                legal: 0,
            });
        }
        Ordering::Equal
    }

    /// The colours now, 0 where open.
    pub fn colors(&self) -> &[Color] {
        &self.colors
    }

    /// Assignments that stand.
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Whether `solved` was reached.
    pub fn solved(&self) -> bool {
        matches!(self.next, Next::Solved)
    }

    /// Whether every branch was tried.
    pub fn exhausted(&self) -> bool {
        matches!(self.next, Next::Exhausted)
    }

    /// Whether each exclusion and dead end so far follows from houses and definitions.
    pub fn airtight(&self) -> bool {
        self.unproved_dead_ends == 0 && self.unproved_exclusions == 0
    }

    fn set(&mut self, vertex: u16, color: Color) {
        let v = usize::from(vertex);
        self.colors[v] = color;
        self.masks[v] = 1 << (color - 1);
        self.open -= 1;
        for &peer in &self.board.peers[v] {
            let p = usize::from(peer);
            let n = &mut self.around[p * 16 + usize::from(color) - 1];
            *n += 1;
            self.taken[p] |= 1 << (color - 1);
        }
    }

    fn clear(&mut self, vertex: u16) {
        let v = usize::from(vertex);
        let color = std::mem::take(&mut self.colors[v]);
        self.masks[v] = self.board.all;
        self.open += 1;
        for &peer in &self.board.peers[v] {
            let p = usize::from(peer);
            let n = &mut self.around[p * 16 + usize::from(color) - 1];
            *n -= 1;
            if *n == 0 {
                self.taken[p] &= !(1 << (color - 1));
            }
        }
    }

    /// The colours that no neighbour has.
    fn free(&self, vertex: u16) -> u16 {
        self.board.all & !self.taken[usize::from(vertex)]
    }

    /// The order of choice: fewest legal colours, nearest to the last choice, lowest index.
    /// Distances are compared by their squares, which are whole numbers.
    fn rank(&self, vertex: u16, legal: u32) -> (u32, u32, u16) {
        let distance = self.stack.last().map_or(0, |last| {
            let (a, b) = (self.board.name(vertex), self.board.name(last.vertex));
            let rows = u32::from(a.row.abs_diff(b.row));
            let cols = u32::from(a.col.abs_diff(b.col));
            rows * rows + cols * cols
        });
        (legal, distance, vertex)
    }

    /// The open cell that comes first in the order of choice where houses alone count.
    fn first_choice(&self) -> Option<(u32, u32, u16)> {
        (0..self.colors.len() as u16)
            .filter(|&v| self.colors[usize::from(v)] == 0)
            .map(|v| self.rank(v, self.free(v).count_ones()))
            .min()
    }

    /// Carries out the next event.
    pub fn step(&mut self, event: &Event) -> Result<(), Wrong> {
        match *event {
            Event::Assign {
                vertex,
                color,
                saturation,
                legal,
            } => self.assign(Standing {
                vertex,
                color,
                saturation,
                legal: legal.0,
            }),
            Event::DeadEnd { vertex, rule } => self.dead_end(vertex, rule),
            Event::Undo { vertex, color } => self.undo(vertex, color),
            Event::Solved => self.finish(),
        }
    }

    fn wrong<T>(&self, cell: u16, why: String) -> Result<T, Wrong> {
        Err(Wrong {
            cell: Some(cell),
            why,
        })
    }

    fn known(&self, vertex: u16) -> Result<(), Wrong> {
        if usize::from(vertex) < self.colors.len() {
            return Ok(());
        }
        Err(Wrong {
            cell: None,
            why: format!("the puzzle has no vertex {vertex}"),
        })
    }

    fn over(&self, vertex: Option<u16>) -> Result<(), Wrong> {
        let why = match self.next {
            Next::Solved => "nothing may follow solved",
            Next::Exhausted => "every branch was tried already; nothing may follow",
            _ => return Ok(()),
        };
        Err(Wrong {
            cell: vertex,
            why: why.to_string(),
        })
    }

    fn assign(&mut self, event: Standing) -> Result<(), Wrong> {
        let Standing {
            vertex,
            color,
            saturation,
            legal,
        } = event;
        self.known(vertex)?;
        self.over(Some(vertex))?;
        let v = usize::from(vertex);
        let name = self.board.name(vertex);
        if color == 0 || color > self.board.digits {
            let d = self.board.digits;
            return self.wrong(vertex, format!("colours are 1 to {d}"));
        }
        if self.board.givens[v] != 0 {
            let given = self.board.givens[v];
            return self.wrong(vertex, format!("{name} is given as {given}"));
        }
        if self.colors[v] != 0 {
            let has = self.colors[v];
            return self.wrong(vertex, format!("{name} has colour {has} already"));
        }
        let bit = 1u16 << (color - 1);
        if self.taken[v] & bit != 0 {
            let blocker = self.board.peers[v]
                .iter()
                .copied()
                .find(|&p| self.colors[usize::from(p)] == color);
            let who = blocker.map_or("a neighbour".into(), |p| self.board.name(p).to_string());
            return self.wrong(vertex, format!("{who} has colour {color} already"));
        }
        match self.next {
            Next::Back => {
                let (cell, c) = self.top_words();
                return self.wrong(
                    vertex,
                    format!("{cell} = {c} must be undone first, nothing below it is left to try"),
                );
            }
            Next::Retry(before) => {
                let left = before.legal & above(before.color);
                let due = left.trailing_zeros() as Color + 1;
                if vertex != before.vertex || color != due {
                    let cell = self.board.name(before.vertex);
                    return self.wrong(
                        vertex,
                        format!("{cell} must be tried with colour {due} next"),
                    );
                }
                if saturation != before.saturation {
                    let was = before.saturation;
                    return self.wrong(
                        vertex,
                        format!(
                            "the saturation is {saturation} here but {was} when {name} was chosen"
                        ),
                    );
                }
                if legal != before.legal {
                    return self.wrong(
                        vertex,
                        format!(
                            "the legal colours are {} here but {} when {name} was chosen",
                            list(legal),
                            list(before.legal)
                        ),
                    );
                }
            }
            Next::Choose => self.judge_choice(&event)?,
            Next::Exhausted | Next::Solved => {}
        }
        if !self.board.houses_only {
            self.judge_rules(vertex, bit)?;
        }
        self.set(vertex, color);
        for claim in &mut self.claims {
            claim.off += usize::from(claim.colors[v] != color);
        }
        self.stack.push(event);
        self.assignments += 1;
        self.max_depth = self.max_depth.max(self.stack.len());
        self.next = Next::Choose;
        Ok(())
    }

    /// A cell chosen anew: the right one, with the right saturation and legal colours, and the
    /// lowest of them.
    fn judge_choice(&mut self, event: &Standing) -> Result<(), Wrong> {
        let &Standing {
            vertex,
            color,
            saturation,
            legal,
        } = event;
        let free = self.free(vertex);
        let name = self.board.name(vertex);
        if self.board.houses_only || legal & !free != 0 {
            self.judge_order(vertex, free.count_ones())?;
        } else {
            self.judge_order(vertex, legal.count_ones())?;
        }
        let right = (self.board.all & self.taken[usize::from(vertex)]).count_ones();
        if u32::from(saturation) != right {
            return self.wrong(
                vertex,
                format!("the saturation is {saturation}; the neighbours of {name} have {right} different colours"),
            );
        }
        if self.board.houses_only && legal != free {
            return self.wrong(
                vertex,
                format!("the legal colours are {}, not {}", list(free), list(legal)),
            );
        }
        if legal & !free != 0 {
            return self.wrong(
                vertex,
                format!(
                    "the legal colours are given as {}, but a neighbour has {}",
                    list(legal),
                    list(legal & !free)
                ),
            );
        }
        if legal & (1 << (color - 1)) == 0 {
            return self.wrong(
                vertex,
                format!(
                    "colour {color} is not among the legal colours {}",
                    list(legal)
                ),
            );
        }
        let lowest = legal.trailing_zeros() as Color + 1;
        if color != lowest {
            return self.wrong(
                vertex,
                format!("colour {lowest} must be tried before {color}"),
            );
        }
        for claim in &self.claims {
            let due = claim.colors[usize::from(vertex)];
            if claim.off == 0 && legal & (1 << (due - 1)) == 0 {
                return self.wrong(
                    vertex,
                    format!(
                        "the legal colours {} leave out {due}, which {name} has in the {}",
                        list(legal),
                        claim.name
                    ),
                );
            }
        }
        if free != legal {
            self.unproved_exclusions +=
                (free & !legal & self.open_by_rules(vertex, free)).count_ones() as u64;
        }
        Ok(())
    }

    /// Whether the order of choice allows `vertex` with so many legal colours. Where rules narrow
    /// colours further, a cell cannot have more than its houses leave it, so whoever comes first
    /// with that many comes first in truth.
    fn judge_order(&self, vertex: u16, legal: u32) -> Result<(), Wrong> {
        let own = self.rank(vertex, legal);
        let Some(first) = self.first_choice() else {
            return Ok(());
        };
        if first.2 == vertex || own <= first {
            return Ok(());
        }
        let (count, _, due) = first;
        let due_name = self.board.name(due);
        let name = self.board.name(vertex);
        let why = if count < legal {
            format!(
                "{due_name} must be chosen here, it has {count} legal colours and {name} has {legal}"
            )
        } else if own.1 == first.1 {
            format!("{due_name} must be chosen here, it comes before {name} in reading order")
        } else {
            format!(
                "{due_name} must be chosen here, it is nearer to the cell chosen last than {name}"
            )
        };
        self.wrong(vertex, why)
    }

    /// That the coloured cells contradict no rule once `vertex` takes the colour. Where they only
    /// leave a rule too little room, a search that looks less far ahead may go on and find out
    /// later; that is counted, not blamed.
    fn judge_rules(&mut self, vertex: u16, bit: u16) -> Result<(), Wrong> {
        let v = usize::from(vertex);
        let mask = std::mem::replace(&mut self.masks[v], bit);
        self.colors[v] = bit.trailing_zeros() as Color + 1;
        let law = |i: u16| &self.board.laws[usize::from(i)];
        let mut unattainable = self.board.laws_of[v]
            .iter()
            .copied()
            .filter(|&i| !law(i).possible(&self.masks, self.board.digits))
            .peekable();
        self.unattainable += u64::from(unattainable.peek().is_some());
        let broken = unattainable.find(|&i| law(i).contradicted(&self.colors));
        self.colors[v] = 0;
        self.masks[v] = mask;
        match broken {
            None => Ok(()),
            Some(i) => {
                let family = self.board.laws[usize::from(i)].family();
                self.wrong(vertex, format!("it breaks rule {i} ({family})"))
            }
        }
    }

    /// Of the colours in `among`, those with which no rule's definition becomes unattainable,
    /// where open cells may take what their houses leave them.
    fn open_by_rules(&self, vertex: u16, among: u16) -> u16 {
        let masks: Vec<u16> = (0..self.colors.len())
            .map(|i| match self.colors[i] {
                0 => self.free(i as u16),
                color => 1 << (color - 1),
            })
            .collect();
        let v = usize::from(vertex);
        let mut open = 0;
        for bit in (0..16).map(|b| 1u16 << b).filter(|b| among & b != 0) {
            let mut there = masks.clone();
            there[v] = bit;
            for &p in &self.board.peers[v] {
                if self.colors[usize::from(p)] == 0 {
                    there[usize::from(p)] &= !bit;
                }
            }
            let fine = self.board.laws_of[v]
                .iter()
                .all(|&i| self.board.laws[usize::from(i)].possible(&there, self.board.digits));
            if fine {
                open |= bit;
            }
        }
        open
    }

    fn dead_end(&mut self, vertex: u16, rule: Option<u16>) -> Result<(), Wrong> {
        self.known(vertex)?;
        self.over(Some(vertex))?;
        let v = usize::from(vertex);
        let name = self.board.name(vertex);
        match self.next {
            Next::Back => {
                let (cell, c) = self.top_words();
                return self.wrong(
                    vertex,
                    format!("{cell} = {c} must be undone first, nothing below it is left to try"),
                );
            }
            Next::Retry(before) => {
                let due = (before.legal & above(before.color)).trailing_zeros() + 1;
                let cell = self.board.name(before.vertex);
                return self.wrong(
                    vertex,
                    format!("{cell} must be tried with colour {due} next"),
                );
            }
            _ => {}
        }
        if self.colors[v] != 0 {
            let has = self.colors[v];
            return self.wrong(vertex, format!("{name} has colour {has} already"));
        }
        let free = self.free(vertex);
        self.judge_order(
            vertex,
            if self.board.houses_only {
                free.count_ones()
            } else {
                0
            },
        )?;
        match rule.map(usize::from) {
            None if free != 0 => {
                return self.wrong(
                    vertex,
                    format!("{name} still has the legal colours {}", list(free)),
                );
            }
            None => {}
            Some(i) => {
                let Some(law) = self.board.laws.get(i) else {
                    return self.wrong(vertex, format!("the puzzle has no rule {i}"));
                };
                let family = law.family();
                if free == 0 {
                    return self.wrong(
                        vertex,
                        format!("houses alone leave {name} no colour; rule {i} did not take the last one"),
                    );
                }
                if family == "house" {
                    return self.wrong(
                        vertex,
                        format!(
                            "rule {i} is a house, and houses leave {name} the colours {}",
                            list(free)
                        ),
                    );
                }
                for claim in &self.claims {
                    if claim.off == 0 {
                        let due = claim.colors[v];
                        return self.wrong(
                            vertex,
                            format!("{name} can have {due}, as in the {}", claim.name),
                        );
                    }
                }
                if self.open_by_rules(vertex, free) != 0 {
                    self.unproved_dead_ends += 1;
                }
            }
        }
        self.dead_ends += 1;
        self.retreat();
        Ok(())
    }

    fn undo(&mut self, vertex: u16, color: Color) -> Result<(), Wrong> {
        self.known(vertex)?;
        self.over(Some(vertex))?;
        let Some(&top) = self.stack.last() else {
            return self.wrong(vertex, "no assignment stands".to_string());
        };
        if (top.vertex, top.color) != (vertex, color) {
            let (cell, c) = self.top_words();
            return self.wrong(
                vertex,
                format!("the last standing assignment is {cell} = {c}"),
            );
        }
        let name = self.board.name(vertex);
        match self.next {
            Next::Choose => {
                return self.wrong(
                    vertex,
                    format!("what follows from {name} = {color} was not tried yet"),
                );
            }
            Next::Retry(before) => {
                let due = (before.legal & above(before.color)).trailing_zeros() + 1;
                let cell = self.board.name(before.vertex);
                return self.wrong(
                    vertex,
                    format!("{cell} must be tried with colour {due} first"),
                );
            }
            _ => {}
        }
        for claim in &self.claims {
            if claim.off == 0 {
                return self.wrong(
                    vertex,
                    format!("the branch that is given up holds the {}", claim.name),
                );
            }
        }
        self.stack.pop();
        self.clear(vertex);
        for claim in &mut self.claims {
            claim.off -= usize::from(claim.colors[usize::from(vertex)] != color);
        }
        self.undos += 1;
        if top.legal & above(color) != 0 {
            self.next = Next::Retry(top);
        } else {
            self.retreat();
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Wrong> {
        self.over(None)?;
        let open = self.open;
        if let Some(v) = self.colors.iter().position(|&c| c == 0) {
            let name = self.board.name(v as u16);
            return self.wrong(
                v as u16,
                format!("{name} is not coloured ({open} cells are open)"),
            );
        }
        if matches!(self.next, Next::Choose) {
            self.next = Next::Solved;
            return Ok(());
        }
        Err(Wrong {
            cell: None,
            why: "the last assignment must be undone first".to_string(),
        })
    }

    fn retreat(&mut self) {
        self.next = if self.stack.is_empty() {
            Next::Exhausted
        } else {
            Next::Back
        };
    }

    /// The last standing assignment, for a sentence.
    fn top_words(&self) -> (String, Color) {
        self.stack.last().map_or(("nothing".into(), 0), |t| {
            (self.board.name(t.vertex).to_string(), t.color)
        })
    }
}

/// The mask of the colours above `color`.
fn above(color: Color) -> u16 {
    // Colour 16 has nothing above it.
    u16::MAX.checked_shl(u32::from(color)).unwrap_or(0)
}

/// `[1, 5, 9]`, or "none".
fn list(mask: u16) -> String {
    if mask == 0 {
        return "none".to_string();
    }
    let colors: Vec<String> = ColorSet(mask).iter().map(|c| c.to_string()).collect();
    format!("[{}]", colors.join(", "))
}
