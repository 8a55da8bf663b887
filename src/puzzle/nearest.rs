//! Which known word was meant by an unknown one.

/// The candidate with the fewest edits from `word`, if they are few enough to be a slip: at most
/// a third of its letters, and the first such candidate among equals.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().take(64).collect();
    candidates
        .map(|c| (edits(&word, &c.chars().collect::<Vec<_>>()), c))
        .filter(|(distance, c)| distance * 3 <= c.chars().count().max(word.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c)
}

/// Levenshtein distance: insertions, deletions, replacements.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_a_stranger_none() {
        let words = ["demo", "backtracking", "double-step"];
        assert_eq!(nearest("demmo", words.into_iter()), Some("demo"));
        assert_eq!(
            nearest("Backtraking", words.into_iter()),
            Some("backtracking")
        );
        assert_eq!(
            nearest("doublestep", words.into_iter()),
            Some("double-step")
        );
        assert_eq!(nearest("windoku", words.into_iter()), None);
        assert_eq!(nearest("", words.into_iter()), None);
    }
}
