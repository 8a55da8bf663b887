//! Cells that all differ: Régin's filtering (AAAI 1994) on bit masks of up to 16 colours.

use super::{Broken, Propagator, View};

/// Leaves each mask only the colours that some way of making all masks differ uses. False if
/// there is no such way. At most 16 masks.
pub(in crate::solve) fn filter(masks: &mut [u16]) -> bool {
    const NONE: usize = usize::MAX;
    // A matching of masks to colours.
    let mut owner = [NONE; 16];
    fn augment(masks: &[u16], i: usize, owner: &mut [usize; 16], seen: &mut u16) -> bool {
        while masks[i] & !*seen != 0 {
            let color = (masks[i] & !*seen).trailing_zeros() as usize;
            *seen |= 1 << color;
            if owner[color] == NONE || augment(masks, owner[color], owner, seen) {
                owner[color] = i;
                return true;
            }
        }
        false
    }
    if masks.len() > 16 {
        return false;
    }
    for i in 0..masks.len() {
        if !augment(masks, i, &mut owner, &mut 0) {
            return false;
        }
    }
    // From a colour, the colours that its owner could move on to, and so on.
    let mut reach = [0u16; 16];
    let mut free = 0u16;
    let mut own = [0u16; 16];
    for (color, &i) in owner.iter().enumerate() {
        if i == NONE {
            free |= 1 << color;
        } else {
            reach[color] = masks[i];
            own[i] = 1 << color;
        }
    }
    for k in 0..16 {
        let through = reach[k];
        for r in &mut reach {
            if *r >> k & 1 != 0 {
                *r |= through;
            }
        }
    }
    for (mask, own) in masks.iter_mut().zip(own) {
        let mut rest = *mask & !own & !free;
        while rest != 0 {
            let color = rest.trailing_zeros();
            rest &= rest - 1;
            if reach[color as usize] & (free | own) == 0 {
                *mask &= !(1 << color);
            }
        }
    }
    true
}

/// A house as a propagator, for searches that may reason beyond "no neighbour has it".
pub(in crate::solve) struct AllDifferent {
    cells: Vec<u16>,
    /// Whether every colour is somewhere in it.
    full: bool,
}

impl AllDifferent {
    pub fn new(cells: Vec<u16>, digits: u8) -> Self {
        AllDifferent {
            full: cells.len() == usize::from(digits),
            cells,
        }
    }
}

impl Propagator for AllDifferent {
    fn scope(&self) -> &[u16] {
        &self.cells
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        if self.cells.len() > 16 {
            return Err(Broken(None));
        }
        let mut masks = [0u16; 16];
        let masks = &mut masks[..self.cells.len()];
        for (mask, &v) in masks.iter_mut().zip(&self.cells) {
            *mask = view.get(v);
        }
        if !filter(masks) {
            return Err(Broken(None));
        }
        for (&mask, &v) in masks.iter().zip(&self.cells) {
            view.keep(v, mask)?;
        }
        Ok(())
    }

    /// Cells with one colour left, and colours with one cell left.
    fn narrow_quickly(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let (mut once, mut twice, mut fixed) = (0u16, 0u16, 0u16);
        for &v in &self.cells {
            let mask = view.get(v);
            twice |= once & mask;
            once |= mask;
            if mask.is_power_of_two() {
                if fixed & mask != 0 {
                    return Err(Broken(None));
                }
                fixed |= mask;
            }
        }
        if (once.count_ones() as usize) < self.cells.len() {
            return Err(Broken(None));
        }
        let single = if self.full { once & !twice } else { 0 };
        for &v in &self.cells {
            let mask = view.get(v);
            if mask.is_power_of_two() {
                continue;
            }
            match mask & single {
                0 => view.keep(v, !fixed)?,
                own if own.is_power_of_two() => view.keep(v, own)?,
                _ => return Err(Broken(None)),
            }
        }
        Ok(())
    }
}
