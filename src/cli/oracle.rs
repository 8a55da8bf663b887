//! How many solutions a classic grid has, worked out from its 81 cells alone.
//!
//! It stands by itself on purpose: `boards` judges the bundled puzzles by it, so it must not
//! share a mistake with the solver, the verifier or the puzzle reader. Each cell's candidates are
//! what its row, column and box do not have; the cell with the fewest is tried first; counting
//! stops at two.

/// What the oracle finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Two filled cells of one row, column or box are equal.
    Clash,
    /// No solution.
    None,
    /// Exactly one.
    One,
    /// At least two.
    Several,
}

/// Counts the solutions of 81 cells in reading order, 0 for blanks, up to two.
pub fn count(cells: &[u8; 81]) -> Answer {
    let mut grid = *cells;
    for place in 0..81 {
        let digit = std::mem::take(&mut grid[place]);
        if digit != 0 && candidates(&grid, place) & bit(digit) == 0 {
            return Answer::Clash;
        }
        grid[place] = digit;
    }
    match search(&mut grid, 2) {
        0 => Answer::None,
        1 => Answer::One,
        _ => Answer::Several,
    }
}

fn bit(digit: u8) -> u16 {
    1 << digit
}

/// The digits that the row, the column and the box of a place leave, as bits 1 to 9.
fn candidates(grid: &[u8; 81], place: usize) -> u16 {
    let (row, column) = (place / 9, place % 9);
    let (top, left) = (row - row % 3, column - column % 3);
    let mut taken = 1;
    for i in 0..9 {
        taken |= bit(grid[row * 9 + i]);
        taken |= bit(grid[i * 9 + column]);
        taken |= bit(grid[(top + i / 3) * 9 + left + i % 3]);
    }
    0x3FF & !taken
}

/// How many ways there are to fill the grid, up to `most`.
fn search(grid: &mut [u8; 81], most: u32) -> u32 {
    let open = (0..81)
        .filter(|&place| grid[place] == 0)
        .map(|place| (candidates(grid, place), place))
        .min_by_key(|(left, _)| left.count_ones());
    let Some((left, place)) = open else {
        return 1;
    };
    let mut found = 0;
    for digit in (1..=9).filter(|&d| left & bit(d) != 0) {
        grid[place] = digit;
        found += search(grid, most - found);
        if found >= most {
            break;
        }
    }
    grid[place] = 0;
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> [u8; 81] {
        let digits: Vec<u8> = text.bytes().map(|b| b - b'0').collect();
        digits.try_into().unwrap()
    }

    const DEMO: &str =
        "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

    #[test]
    fn one_given_more_or_less_changes_the_answer() {
        let mut grid = cells(DEMO);
        assert_eq!(count(&grid), Answer::One);
        // r1c3 is 4 in the only solution.
        grid[2] = 4;
        assert_eq!(count(&grid), Answer::One);
        grid[2] = 1;
        assert_eq!(count(&grid), Answer::None);
        grid[2] = 9;
        assert_eq!(count(&grid), Answer::Clash, "the box has a 9");
        assert_eq!(count(&[0; 81]), Answer::Several);
    }

    #[test]
    fn a_full_grid_is_its_own_solution_and_a_swap_clashes() {
        let full = cells(
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
        );
        assert_eq!(count(&full), Answer::One);
        let mut swapped = full;
        swapped.swap(0, 1);
        assert_eq!(count(&swapped), Answer::Clash);
    }
}
