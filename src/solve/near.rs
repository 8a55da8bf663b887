//! Which of several vertices is nearest to another: the search's tie-break.

use crate::puzzle::Cell;

/// For every vertex the ranks of all others by squared Euclidean distance, then by index.
#[derive(Debug)]
pub(super) struct Nearness {
    ranks: Vec<u16>,
    n: usize,
}

impl Nearness {
    pub fn new(vertices: &[Cell]) -> Self {
        let n = vertices.len();
        let mut ranks = vec![0; n * n];
        let mut order: Vec<usize> = Vec::with_capacity(n);
        for (from, row) in vertices.iter().zip(ranks.chunks_exact_mut(n.max(1))) {
            let distance = |i: usize| {
                let dr = i64::from(vertices[i].row) - i64::from(from.row);
                let dc = i64::from(vertices[i].col) - i64::from(from.col);
                dr * dr + dc * dc
            };
            order.clear();
            order.extend(0..n);
            order.sort_by_key(|&i| (distance(i), i));
            for (rank, &i) in order.iter().enumerate() {
                row[i] = rank as u16;
            }
        }
        Nearness { ranks, n }
    }

    /// The ranks as seen from one vertex: the lowest is the nearest, ties by index.
    #[inline]
    pub fn from(&self, vertex: u16) -> &[u16] {
        let start = usize::from(vertex) * self.n;
        &self.ranks[start..start + self.n]
    }
}
