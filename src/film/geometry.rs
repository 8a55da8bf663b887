//! Plane geometry with the same results on every machine: only `+ - * /` and `sqrt`, which
//! IEEE 754 rounds one way, and never a system's libm.

/// A point or a vector, in pixels.
pub type Point = [f64; 2];

/// `(cos, sin)` of an angle in degrees, 0 along +x and 90 along +y (down the screen), by Taylor
/// series after reduction to [-45, 45] degrees: the error is below 1e-15.
pub fn unit(degrees: f64) -> Point {
    let quarters = (degrees / 90.0).round();
    let x = (degrees - quarters * 90.0) * (std::f64::consts::PI / 180.0);
    let x2 = x * x;
    let (mut cos, mut sin) = (1.0, x);
    let (mut even, mut odd) = (1.0, x);
    for k in 1..10 {
        let k = f64::from(k);
        even *= -x2 / ((2.0 * k - 1.0) * (2.0 * k));
        odd *= -x2 / ((2.0 * k) * (2.0 * k + 1.0));
        cos += even;
        sin += odd;
    }
    match (quarters as i64).rem_euclid(4) {
        0 => [cos, sin],
        1 => [-sin, cos],
        2 => [-cos, -sin],
        _ => [sin, -cos],
    }
}

/// The length of a vector.
pub fn length([x, y]: Point) -> f64 {
    (x * x + y * y).sqrt()
}

/// The point at `t` of the quadratic Bézier curve from `p` by `c` to `q`.
pub fn quadratic(p: Point, c: Point, q: Point, t: f64) -> Point {
    let s = 1.0 - t;
    let at = |i: usize| s * s * p[i] + 2.0 * s * t * c[i] + t * t * q[i];
    [at(0), at(1)]
}

/// The control point of an edge from `p` to `q` displaced by `d` (see `manifest::Bend`).
pub fn bent(p: Point, q: Point, d: Point) -> Point {
    [(p[0] + q[0]) / 2.0 + d[0], (p[1] + q[1]) / 2.0 + d[1]]
}

/// The displacement that bends an edge sideways by `offset` of its length, to its right for a
/// positive one (seen from `p`, on a screen whose y axis points down).
pub fn sideways(p: Point, q: Point, offset: f64) -> Point {
    [
        hundredths(-offset * (q[1] - p[1])),
        hundredths(offset * (q[0] - p[0])),
    ]
}

/// Rounded to hundredths: what the manifest states is exactly what is drawn.
pub fn hundredths(v: f64) -> f64 {
    (v * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_vectors_agree_with_the_standard_library_within_rounding() {
        for d in -720..720 {
            let d = f64::from(d) * 0.7;
            let [c, s] = unit(d);
            assert!((c - d.to_radians().cos()).abs() < 1e-13, "cos {d}");
            assert!((s - d.to_radians().sin()).abs() < 1e-13, "sin {d}");
        }
    }

    #[test]
    fn right_angles_are_exact() {
        assert_eq!(unit(90.0), [-0.0, 1.0]);
        assert_eq!(unit(180.0), [-1.0, -0.0]);
    }

    #[test]
    fn an_edge_bends_to_its_right_for_a_positive_offset() {
        let (p, q) = ([0.0, 0.0], [10.0, 0.0]);
        assert_eq!(bent(p, q, sideways(p, q, 0.0)), [5.0, 0.0]);
        assert_eq!(bent(p, q, sideways(p, q, 0.5)), [5.0, 5.0]);
    }
}
