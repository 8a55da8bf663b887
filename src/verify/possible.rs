//! What a rule still allows when some of its cells are open.
//!
//! Each cell has a mask of the colours that it may still take; one bit means that it is coloured.
//! "Impossible" is said only where the definition cannot be met by any choice from the masks, each
//! rule for itself. That is a judgement of the definition, not a way to search: where a bound is
//! not exact, it errs towards "possible".

use super::law::Law;

/// Sums above this are judged by bounds alone.
const MAX_SUM: usize = 255;

impl Law {
    /// Whether the definition can still be met. On masks of one bit each, the same as
    /// [`Law::holds`].
    pub fn possible(&self, masks: &[u16], digits: u8) -> bool {
        let of = |cell: u16| masks[usize::from(cell)];
        match self {
            Law::House { cells } => {
                let mut taken = 0;
                cells.iter().all(|&c| {
                    let mask = of(c);
                    if mask.count_ones() != 1 {
                        return mask != 0;
                    }
                    let fresh = taken & mask == 0;
                    taken |= mask;
                    fresh
                })
            }
            Law::Contains { need, cells } => {
                // Every listed digit claims a cell of its own.
                let mut claims = Vec::with_capacity(cells.len());
                for &(digit, n) in need {
                    claims.extend(std::iter::repeat_n(1u16 << (digit - 1), n));
                }
                matches_all(&claims, cells.len(), |claim, cell| {
                    claim & of(cells[cell]) != 0
                })
            }
            Law::Appears { source, cells } => {
                cells.iter().fold(0, |union, &c| union | of(c)) & of(*source) != 0
            }
            Law::Clone { groups } => groups
                .iter()
                .all(|g| g.iter().fold(u16::MAX, |common, &c| common & of(c)) != 0),
            Law::Isomorphic { pairs } => relabelling_exists(pairs, &of, digits),
            Law::Counts { exact, cells, each } => {
                let (mut listed, mut required, mut settled) = (0u16, 0, 0);
                for &(digit, n) in exact {
                    let bit = 1u16 << (digit - 1);
                    let fixed = cells.iter().filter(|&&c| of(c) == bit).count();
                    let open = cells.iter().filter(|&&c| of(c) & bit != 0).count();
                    if fixed > n || open < n {
                        return false;
                    }
                    listed |= bit;
                    required += n - fixed;
                    settled += fixed;
                }
                let unlisted = cells.iter().filter(|&&c| of(c) & listed == 0).count();
                let blank = cells.len() - settled - unlisted;
                let everything = listed.count_ones() == u32::from(digits);
                required <= blank && (!(everything || *each) || required == blank)
            }
            Law::Circles { cells } => circles_exist(cells, &of, digits),
            Law::Distinct { value, cells } => {
                let mut fixed = 0u16;
                for &c in cells {
                    if of(c).count_ones() == 1 {
                        fixed |= of(c);
                    }
                }
                let outside = cells.iter().any(|&c| of(c) & fixed == 0);
                let least = fixed.count_ones() as usize + usize::from(outside);
                if least > *value {
                    return false;
                }
                let union = cells.iter().fold(0, |u, &c| u | of(c));
                let colors: Vec<u16> = (0..16).map(|b| 1 << b).filter(|b| union & b != 0).collect();
                most_matched(&colors, cells.len(), |bit, cell| bit & of(cells[cell]) != 0) >= *value
            }
            Law::Entropy { windows, third } => {
                let low = (1u16 << third) - 1;
                let classes = [low, low << third, low << (2 * third)];
                windows
                    .iter()
                    .all(|w| matches_all(&classes, 4, |class, cell| class & of(w[cell]) != 0))
            }
            Law::EqualSum { segments } => {
                let mut common = [u64::MAX; 4];
                let (mut low, mut high) = (0, usize::MAX);
                for segment in segments {
                    let mut least = 0;
                    let mut most = 0;
                    for &c in segment {
                        if of(c) == 0 {
                            return false;
                        }
                        least += of(c).trailing_zeros() as usize + 1;
                        most += 16 - of(c).leading_zeros() as usize;
                    }
                    low = low.max(least);
                    high = high.min(most);
                    if most <= MAX_SUM {
                        let mut sums = [1u64, 0, 0, 0];
                        for &c in segment {
                            let mut next = [0; 4];
                            for bit in (0..16).filter(|b| of(c) & (1 << b) != 0) {
                                shift_into(&mut next, &sums, bit + 1);
                            }
                            sums = next;
                        }
                        for (all, one) in common.iter_mut().zip(sums) {
                            *all &= one;
                        }
                    }
                }
                low <= high && common.iter().any(|&w| w != 0)
            }
            Law::Vudoku { cells } => {
                let [v, a, b] = cells.map(of);
                let bits = |mask: u16| (0..16).filter(move |i| mask & (1 << i) != 0).map(|i| i + 1);
                bits(a).any(|a: i32| {
                    bits(b).any(|b: i32| bits(v).any(|v: i32| v == a + b || v == (a - b).abs()))
                })
            }
        }
    }
}

/// Adds every sum of `from`, moved up by `by`, to `into`.
fn shift_into(into: &mut [u64; 4], from: &[u64; 4], by: u32) {
    let mut carry = 0;
    for (slot, &word) in into.iter_mut().zip(from) {
        *slot |= (word << by) | carry;
        carry = word >> (64 - by);
    }
}

/// Whether each claim can have a cell of its own.
fn matches_all(claims: &[u16], cells: usize, fits: impl Fn(u16, usize) -> bool) -> bool {
    claims.len() <= cells && most_matched(claims, cells, fits) == claims.len()
}

/// The size of a largest matching of claims to cells, by augmenting paths (Kuhn).
fn most_matched(claims: &[u16], cells: usize, fits: impl Fn(u16, usize) -> bool) -> usize {
    fn augment(
        claim: usize,
        claims: &[u16],
        owner: &mut [usize],
        seen: &mut [bool],
        fits: &impl Fn(u16, usize) -> bool,
    ) -> bool {
        for cell in 0..owner.len() {
            if seen[cell] || !fits(claims[claim], cell) {
                continue;
            }
            seen[cell] = true;
            if owner[cell] == usize::MAX || augment(owner[cell], claims, owner, seen, fits) {
                owner[cell] = claim;
                return true;
            }
        }
        false
    }
    let mut owner = vec![usize::MAX; cells];
    let mut seen = vec![false; cells];
    let mut matched = 0;
    for claim in 0..claims.len() {
        seen.fill(false);
        matched += usize::from(augment(claim, claims, &mut owner, &mut seen, &fits));
    }
    matched
}

/// Whether some permutation of the colours can map each left cell to its right one.
fn relabelling_exists(pairs: &[(u16, u16)], of: &impl Fn(u16) -> u16, digits: u8) -> bool {
    let all = ((1u32 << digits) - 1) as u16;
    // images[d - 1]: what colour d may become.
    let mut images = [0u16; 16];
    images[..usize::from(digits)].fill(all);
    for &(a, b) in pairs {
        let (a, b) = (of(a), of(b));
        if a.count_ones() == 1 {
            images[a.trailing_zeros() as usize] &= b;
        }
        if b.count_ones() == 1 {
            for (d, image) in images.iter_mut().enumerate() {
                if a & (1 << d) == 0 {
                    *image &= !b;
                }
            }
        }
        // Some colour that the left cell may have must be able to become one that the right may.
        if !(0..16).any(|d| a & (1 << d) != 0 && images[d] & b != 0) {
            return false;
        }
    }
    matches_all(
        &images[..usize::from(digits)],
        usize::from(digits),
        |image, cell| image & (1 << cell) != 0,
    )
}

/// Whether a set of colours can appear, each as often as its value, and fill the cells.
fn circles_exist(cells: &[u16], of: &impl Fn(u16) -> u16, digits: u8) -> bool {
    if cells.iter().any(|&c| of(c) == 0) {
        return false;
    }
    // Which totals up to the number of cells the colours so far can make; at most 136 matter.
    let mut totals = vec![false; cells.len() + 1];
    totals[0] = true;
    for digit in 1..=usize::from(digits) {
        let bit = 1u16 << (digit - 1);
        let fixed = cells.iter().filter(|&&c| of(c) == bit).count();
        let open = cells.iter().filter(|&&c| of(c) & bit != 0).count();
        let may = fixed <= digit && open >= digit;
        for total in (0..totals.len()).rev() {
            let with = may && total >= digit && totals[total - digit];
            let without = fixed == 0 && totals[total];
            totals[total] = with || without;
        }
    }
    totals[cells.len()]
}
