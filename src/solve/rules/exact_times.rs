//! Cells in which each class of digits appears exactly so many times: Régin's filtering by flow
//! (AAAI 1996), where every class is full.

use super::{Broken, View};

/// A set of digits, and how many of the cells have one of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class {
    pub digits: u16,
    pub times: usize,
}

const NONE: usize = usize::MAX;

/// Leaves each cell only the digits that some way of filling all classes uses. The classes are
/// disjoint, hold every digit, and their times add up to the number of cells.
pub(super) fn filter(cells: &[u16], classes: &[Class], view: &mut View<'_>) -> Result<(), Broken> {
    // The classes that each cell can go to, as bits.
    let able: Vec<u32> = cells
        .iter()
        .map(|&v| {
            let mask = view.get(v);
            classes
                .iter()
                .enumerate()
                .filter(|(_, c)| c.digits & mask != 0)
                .fold(0, |m, (i, _)| m | 1 << i)
        })
        .collect();
    let mut class_of = vec![NONE; cells.len()];
    let mut used = vec![0; classes.len()];
    for cell in 0..cells.len() {
        if !place(cell, &able, classes, &mut class_of, &mut used) {
            return Err(Broken(None));
        }
    }
    // From each class, those that one of its cells could move to, and so on.
    let mut reach = vec![0u32; classes.len()];
    for (cell, &class) in class_of.iter().enumerate() {
        reach[class] |= able[cell];
    }
    for k in 0..classes.len() {
        let through = reach[k];
        for r in &mut reach {
            if *r >> k & 1 != 0 {
                *r |= through;
            }
        }
    }
    for (cell, &v) in cells.iter().enumerate() {
        let own = class_of[cell];
        let kept = classes
            .iter()
            .enumerate()
            .filter(|&(i, _)| i == own || (able[cell] >> i & 1 != 0 && reach[i] >> own & 1 != 0))
            .fold(0, |m, (_, c)| m | c.digits);
        view.keep(v, kept)?;
    }
    Ok(())
}

/// Finds room for one more cell, moving others on if need be.
fn place(
    cell: usize,
    able: &[u32],
    classes: &[Class],
    class_of: &mut [usize],
    used: &mut [usize],
) -> bool {
    // Breadth first over classes: the cell that would come into each, in the order of discovery.
    let mut comes = vec![NONE; classes.len()];
    let mut order: Vec<usize> = Vec::with_capacity(classes.len());
    let mut seen = able[cell];
    for i in (0..classes.len()).filter(|i| able[cell] >> i & 1 != 0) {
        comes[i] = cell;
        order.push(i);
    }
    let mut next = 0;
    while let Some(&class) = order.get(next) {
        next += 1;
        if used[class] < classes[class].times {
            used[class] += 1;
            // Each cell on the way moves on from the class that it is in.
            let mut to = class;
            loop {
                let mover = comes[to];
                let from = std::mem::replace(&mut class_of[mover], to);
                if from == NONE {
                    return true;
                }
                to = from;
            }
        }
        for other in (0..class_of.len()).filter(|&o| class_of[o] == class) {
            let fresh = able[other] & !seen;
            if fresh == 0 {
                continue;
            }
            seen |= fresh;
            for i in (0..classes.len()).filter(|i| fresh >> i & 1 != 0) {
                comes[i] = other;
                order.push(i);
            }
        }
    }
    false
}
