//! A board as text, for terminals and pipes.

use std::fmt::Write;

use crate::puzzle::{Cell, Color, Puzzle};

/// The board with `colors` by cell index, 0 drawn as a dot; bars between boxes where there is one
/// grid with boxes. Ends with a line feed.
pub fn board(puzzle: &Puzzle, colors: &[Color]) -> String {
    board_marked(puzzle, colors, None)
}

/// As [`board`], with one cell in square brackets.
pub fn board_marked(puzzle: &Puzzle, colors: &[Color], marked: Option<Cell>) -> String {
    let cells = puzzle.cells();
    let (Some(first_row), Some(last_row)) = (
        cells.iter().map(|c| c.row).min(),
        cells.iter().map(|c| c.row).max(),
    ) else {
        return String::new();
    };
    let first_col = cells.iter().map(|c| c.col).min().unwrap_or(first_row);
    let last_col = cells.iter().map(|c| c.col).max().unwrap_or(first_col);
    let wide = if puzzle.digits > 9 { 2 } else { 1 };
    let bars = match puzzle.grids.as_slice() {
        [grid] if grid.box_houses => Some((grid.boxed.0.max(1), grid.boxed.1.max(1))),
        _ => None,
    };
    let mut text = String::new();
    for row in first_row..=last_row {
        if let Some((high, across)) = bars
            && row > first_row
            && (row - first_row).is_multiple_of(high)
        {
            let columns = last_col - first_col + 1;
            let groups = columns.div_ceil(across);
            let line: Vec<String> = (0..groups)
                .map(|g| "-".repeat(usize::from(across.min(columns - g * across)) * (wide + 2)))
                .collect();
            text.push_str(&line.join("+"));
            text.push('\n');
        }
        let mut line = String::new();
        for col in first_col..=last_col {
            if let Some((_, across)) = bars
                && col > first_col
                && (col - first_col).is_multiple_of(across)
            {
                line.push('|');
            }
            let cell = Cell { row, col };
            let (open, close) = match marked {
                Some(m) if m == cell => ('[', ']'),
                _ => (' ', ' '),
            };
            line.push(open);
            match puzzle.index_of(cell).and_then(|i| colors.get(i)) {
                None => line.push_str(&" ".repeat(wide)),
                Some(0) => drop(write!(line, "{:>wide$}", ".")),
                Some(color) => drop(write!(line, "{color:>wide$}")),
            }
            line.push(close);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_classic_board_has_bars_between_its_boxes() {
        let puzzle = Puzzle::classic();
        let mut colors = vec![0; 81];
        colors[0] = 5;
        colors[80] = 9;
        let text = board_marked(&puzzle, &colors, Some(Cell { row: 9, col: 9 }));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[0], " 5  .  . | .  .  . | .  .  .");
        assert_eq!(lines[3], "---------+---------+---------");
        assert_eq!(lines[10], " .  .  . | .  .  . | .  . [9]");
    }
}
