//! The words on plates, and where plates stand.

use super::pen::{PLATE, Pen};
use crate::puzzle::{Cell, CountKind, Rule};

/// Font size on a plate, in cells.
const SIZE: f32 = 0.2;

/// What the plate of a rule says, where it has one.
pub(super) fn of(rule: &Rule) -> Option<String> {
    match rule {
        Rule::Contains { digits, .. } => {
            let digits: Vec<String> = digits.iter().map(|d| d.to_string()).collect();
            Some(digits.join(" "))
        }
        Rule::Count {
            kind: CountKind::Each(k),
            ..
        } => Some(format!("{k}×")),
        Rule::Count {
            kind: CountKind::Counts(counts),
            ..
        } => {
            let counts: Vec<String> = counts.iter().map(|(d, k)| format!("{d}×{k}")).collect();
            Some(counts.join("  "))
        }
        Rule::DistinctCount { value, .. } => Some(value.to_string()),
        _ => None,
    }
}

/// Puts a plate on the border of a region: at the first place along its upper edges, then its
/// lower ones, that is free.
pub(super) fn place(pen: &mut Pen<'_>, text: &str, cells: &[Cell]) {
    let (s, size) = (pen.side, (SIZE * pen.side).max(6.0));
    let width = (pen.font.advance(text, size) + 0.13 * s).max(PLATE * s);
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    let [left, _, board, _] = pen.board.bounds.map(|v| v as f32);
    let within = |x: f32| {
        x.max(left + width / 2.0 - 0.08 * s)
            .min(left + board - width / 2.0 + 0.08 * s)
    };
    let mut places = Vec::new();
    for (out, edge) in [(-1, 0.0), (1, 1.0)] {
        for &c in &sorted {
            let row = i32::from(c.row) + out;
            if sorted
                .iter()
                .any(|o| i32::from(o.row) == row && o.col == c.col)
            {
                continue;
            }
            let [x0, y] = pen.point(c, 0.0, edge);
            for x in [
                x0 + width / 2.0 + 0.03 * s,
                x0 + s - width / 2.0 - 0.03 * s,
                x0 + s / 2.0,
            ] {
                places.push([within(x), y]);
            }
        }
    }
    let half = [width / 2.0, PLATE * s / 2.0];
    let free = places
        .iter()
        .find(|[x, y]| pen.is_free([x - half[0], y - half[1], x + half[0], y + half[1]]));
    let Some(&at) = free.or(places.first()) else {
        return;
    };
    pen.pill(at, width);
    pen.text(text, at, size);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_say_how_often() {
        let cells = vec!["r1c1".parse().unwrap()];
        let each = Rule::Count {
            kind: CountKind::Each(2),
            cells: cells.clone(),
        };
        let counts = Rule::Count {
            kind: CountKind::Counts(vec![(5, 3), (1, 0)]),
            cells: cells.clone(),
        };
        let circles = Rule::Count {
            kind: CountKind::Circles,
            cells,
        };
        assert_eq!(of(&each).unwrap(), "2×");
        assert_eq!(of(&counts).unwrap(), "5×3  1×0");
        assert_eq!(of(&circles), None);
    }
}
