//! Which items of a display list are those of the list before.

use crate::film::display::Item;
use std::sync::Arc;

/// How far ahead to look for an item's counterpart after one came or went.
const AHEAD: usize = 24;

/// For each item of `new` the index of the equal item of `old` that it continues, if any; indices
/// rise. What is not matched has come, gone or changed. Where nothing matched lies in between,
/// equal items keep their order, so that a pixel touched by matched items only cannot differ.
pub(super) fn continued(old: &[Item], new: &[Item], out: &mut Vec<Option<usize>>) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while j < new.len() {
        if i >= old.len() {
            out.push(None);
            j += 1;
            continue;
        }
        if same(&old[i], &new[j]) {
            out.push(Some(i));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let came = (1..AHEAD).find(|k| new.get(j + k).is_some_and(|n| same(&old[i], n)));
        let gone = (1..AHEAD).find(|k| old.get(i + k).is_some_and(|o| same(o, &new[j])));
        match (came, gone) {
            (Some(k), gone) if gone.is_none_or(|g| k <= g) => {
                out.extend(std::iter::repeat_n(None, k));
                j += k;
            }
            (_, Some(k)) => i += k,
            (_, None) => {
                // Changed in place.
                out.push(None);
                (i, j) = (i + 1, j + 1);
            }
        }
    }
}

/// Equality that does not look into what is shared.
fn same(a: &Item, b: &Item) -> bool {
    match (a, b) {
        (Item::Curves(a), Item::Curves(b)) => Arc::ptr_eq(a, b) || a == b,
        (Item::Line(a), Item::Line(b)) => Arc::ptr_eq(a, b) || a == b,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::display::Rgb;

    fn rects(xs: &[i32]) -> Vec<Item> {
        let color = Rgb::hex(0x123456);
        xs.iter()
            .map(|x| Item::Rect {
                rect: [*x, 0, 1, 1],
                color,
                alpha: 1.0,
            })
            .collect()
    }

    fn matched(old: &[i32], new: &[i32]) -> Vec<Option<usize>> {
        let mut out = Vec::new();
        continued(&rects(old), &rects(new), &mut out);
        assert_eq!(out.len(), new.len());
        out
    }

    #[test]
    fn an_item_that_comes_or_goes_does_not_unsettle_those_after_it() {
        assert_eq!(
            matched(&[1, 2, 3], &[1, 9, 2, 3]),
            [Some(0), None, Some(1), Some(2)]
        );
        assert_eq!(matched(&[1, 2, 3], &[1, 3]), [Some(0), Some(2)]);
        assert_eq!(matched(&[1, 2, 3], &[1, 7, 3]), [Some(0), None, Some(2)]);
        assert_eq!(matched(&[], &[1]), [None]);
        assert_eq!(matched(&[1], &[]), []);
        assert_eq!(matched(&[1, 2], &[2, 1]), [None, Some(0)]);
    }
}
