//! How things move: the curves between "not yet" and "there".

/// Rounded so that a manifest states exactly what is drawn.
fn millionths(v: f64) -> f64 {
    (v * 1e6).round() / 1e6
}

/// Fast at first, then gently to rest.
pub fn out(u: f64) -> f64 {
    let v = 1.0 - u.clamp(0.0, 1.0);
    millionths(1.0 - v * v)
}

/// Gently away and gently to rest: Perlin's quintic, whose speed and acceleration vanish at both
/// ends.
pub fn in_out(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    millionths(u * u * u * (u * (u * 6.0 - 15.0) + 10.0))
}

/// How far a fade over `[first, settled]` has come at frame `n`: 0 before it, 1 from `settled`.
pub fn fade([first, settled]: [u64; 2], n: u64) -> f64 {
    if n < first {
        0.0
    } else if n >= settled {
        1.0
    } else {
        out((n - first + 1) as f64 / (settled - first + 1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fade_differs_at_its_first_frame_and_rests_at_its_last() {
        assert_eq!(fade([10, 15], 9), 0.0);
        assert!(fade([10, 15], 10) > 0.0);
        assert!(fade([10, 15], 14) < 1.0);
        assert_eq!(fade([10, 15], 15), 1.0);
    }

    #[test]
    fn movement_begins_and_ends_exactly() {
        assert_eq!(in_out(0.0), 0.0);
        assert_eq!(in_out(1.0), 1.0);
        assert_eq!(in_out(0.5), 0.5);
    }
}
