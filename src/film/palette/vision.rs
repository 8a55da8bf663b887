//! How far apart colours look: to normal sight, to the three kinds of colour blindness, and as
//! ink on paper. For choosing colours; nothing here reaches pixels.

use crate::film::display::Rgb;

/// A way of seeing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// All three kinds of cones.
    Normal,
    /// No long-wave cones.
    Protanopia,
    /// No middle-wave cones.
    Deuteranopia,
    /// No short-wave cones.
    Tritanopia,
}

impl Sight {
    /// All of them, normal sight first.
    pub const ALL: [Sight; 4] = [
        Sight::Normal,
        Sight::Protanopia,
        Sight::Deuteranopia,
        Sight::Tritanopia,
    ];

    /// The matrix on linear RGB that simulates it: Machado, Oliveira and Fernandes, "A
    /// Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
    fn matrix(self) -> [[f64; 3]; 3] {
        match self {
            Sight::Normal => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Sight::Protanopia => [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            Sight::Deuteranopia => [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            Sight::Tritanopia => [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        }
    }

    /// A colour as this sight sees it, in CIELAB.
    pub fn lab(self, color: Rgb) -> [f64; 3] {
        let linear = linear(color);
        let seen = self.matrix().map(|row| dot(row, linear).clamp(0.0, 1.0));
        lab_of_linear(seen)
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Linear light, 0 to 1.
fn linear(color: Rgb) -> [f64; 3] {
    [color.r, color.g, color.b].map(|v| {
        let v = f64::from(v) / 255.0;
        if v <= 0.04045 {
            v / 12.92
        } else {
            ((v + 0.055) / 1.055).powf(2.4)
        }
    })
}

const RGB_TO_XYZ: [[f64; 3]; 3] = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
];

fn lab_of_linear(rgb: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = RGB_TO_XYZ.map(|row| {
        let t = dot(row, rgb) / dot(row, [1.0; 3]);
        if t > 216.0 / 24389.0 {
            t.cbrt()
        } else {
            (24389.0 / 27.0 * t + 16.0) / 116.0
        }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The sRGB colour of a CIELAB value, or none where sRGB has no such colour.
pub fn rgb_of_lab([l, a, b]: [f64; 3]) -> Option<Rgb> {
    let fy = (l + 16.0) / 116.0;
    let f = [fy + a / 500.0, fy, fy - b / 200.0];
    let mut xyz = [0.0; 3];
    for k in 0..3 {
        let cube = f[k] * f[k] * f[k];
        let t = if cube > 216.0 / 24389.0 {
            cube
        } else {
            (116.0 * f[k] - 16.0) * 27.0 / 24389.0
        };
        xyz[k] = t * dot(RGB_TO_XYZ[k], [1.0; 3]);
    }
    let inverse = [
        [3.2404542, -1.5371385, -0.4985314],
        [-0.9692660, 1.8760108, 0.0415560],
        [0.0556434, -0.2040259, 1.0572252],
    ];
    let mut out = [0u8; 3];
    for k in 0..3 {
        let v = dot(inverse[k], xyz);
        if !(-0.001..=1.001).contains(&v) {
            return None;
        }
        let v = v.clamp(0.0, 1.0);
        let v = if v <= 0.0031308 {
            12.92 * v
        } else {
            1.055 * v.powf(1.0 / 2.4) - 0.055
        };
        out[k] = (v * 255.0).round() as u8;
    }
    Some(Rgb {
        r: out[0],
        g: out[1],
        b: out[2],
    })
}

/// The CIEDE2000 distance of two CIELAB colours: Sharma, Wu and Dalal, "The CIEDE2000
/// Color-Difference Formula" (2005). About 1 can just be told apart side by side.
pub fn ciede2000([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let seventh = |c: f64| {
        let c7 = c.powi(7);
        (c7 / (c7 + 25f64.powi(7))).sqrt()
    };
    let g = 0.5 * (1.0 - seventh((a1.hypot(b1) + a2.hypot(b2)) / 2.0));
    let (a1, a2) = (a1 * (1.0 + g), a2 * (1.0 + g));
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue = |a: f64, b: f64| {
        if a == 0.0 && b == 0.0 {
            0.0
        } else {
            b.atan2(a).to_degrees().rem_euclid(360.0)
        }
    };
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let grey = c1 * c2 == 0.0;
    let dh = match h2 - h1 {
        _ if grey => 0.0,
        d if d > 180.0 => d - 360.0,
        d if d < -180.0 => d + 360.0,
        d => d,
    };
    let (dl, dc) = (l2 - l1, c2 - c1);
    let dh = 2.0 * (c1 * c2).sqrt() * (dh.to_radians() / 2.0).sin();
    let (l, c) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let h = match h1 + h2 {
        sum if grey => sum,
        sum if (h1 - h2).abs() <= 180.0 => sum / 2.0,
        sum if sum < 360.0 => (sum + 360.0) / 2.0,
        sum => (sum - 360.0) / 2.0,
    };
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(h - 30.0) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + 6.0)
        - 0.20 * cos(4.0 * h - 63.0);
    let turn = 30.0 * (-((h - 275.0) / 25.0).powi(2)).exp();
    let off = (l - 50.0) * (l - 50.0);
    let sl = 1.0 + 0.015 * off / (20.0 + off).sqrt();
    let (sc, sh) = (1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
    let rt = -2.0 * seventh(c) * (2.0 * turn).to_radians().sin();
    let (l, c, h) = (dl / sl, dc / sc, dh / sh);
    (l * l + c * c + h * h + rt * c * h).max(0.0).sqrt()
}

/// The distance of two colours to a sight.
pub fn distance(sight: Sight, a: Rgb, b: Rgb) -> f64 {
    ciede2000(sight.lab(a), sight.lab(b))
}

/// The contrast ratio of WCAG 2, 1 to 21.
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let luminance = |c| dot([0.2126, 0.7152, 0.0722], linear(c)) + 0.05;
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs that Sharma, Wu and Dalal publish for testing implementations.
    #[rustfmt::skip]
    const REFERENCE: [([f64; 3], [f64; 3], f64); 34] = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 3.1571, -77.2803], [50.0, 0.0, -82.7485], 2.8615),
        ([50.0, 2.8361, -74.0200], [50.0, 0.0, -82.7485], 3.4412),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, -1.1848, -84.8006], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, -0.9009, -85.5211], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.3669),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0009], 7.1792),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0010], 7.1792),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0011], 7.2195),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0012], 7.2195),
        ([50.0, -0.0010, 2.4900], [50.0, 0.0009, -2.4900], 4.8045),
        ([50.0, -0.0010, 2.4900], [50.0, 0.0010, -2.4900], 4.8045),
        ([50.0, -0.0010, 2.4900], [50.0, 0.0011, -2.4900], 4.7461),
        ([50.0, 2.5, 0.0], [50.0, 0.0, -2.5], 4.3065),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [61.0, -5.0, 29.0], 22.8977),
        ([50.0, 2.5, 0.0], [56.0, -27.0, -3.0], 31.9030),
        ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
        ([50.0, 2.5, 0.0], [50.0, 3.1736, 0.5854], 1.0000),
        ([50.0, 2.5, 0.0], [50.0, 3.2972, 0.0], 1.0000),
        ([50.0, 2.5, 0.0], [50.0, 1.8634, 0.5757], 1.0000),
        ([50.0, 2.5, 0.0], [50.0, 3.2592, 0.3350], 1.0000),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([63.0109, -31.0961, -5.8663], [62.8187, -29.7946, -4.0864], 1.2630),
        ([61.2901, 3.7196, -5.3901], [61.4292, 2.2480, -4.9620], 1.8731),
        ([35.0831, -44.1164, 3.7933], [35.0232, -40.0716, 1.5901], 1.8645),
        ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
        ([36.4612, 47.8580, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146),
        ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
        ([90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381),
        ([6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ];

    #[test]
    fn distances_are_those_of_the_published_pairs() {
        for (a, b, want) in REFERENCE {
            let got = ciede2000(a, b);
            assert!(
                (got - want).abs() < 0.00005,
                "{a:?} {b:?}: {got} is not {want}"
            );
        }
    }

    #[test]
    fn a_lab_value_and_its_colour_are_inverse() {
        for color in [0x000000, 0xffffff, 0x3c88d4, 0xbb022b, 0x7f7f7f].map(Rgb::hex) {
            assert_eq!(rgb_of_lab(Sight::Normal.lab(color)), Some(color));
        }
        assert_eq!(rgb_of_lab([50.0, 120.0, -120.0]), None);
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast(Rgb::hex(0), Rgb::hex(0xffffff)) - 21.0).abs() < 1e-9);
        assert!((contrast(Rgb::hex(0xffffff), Rgb::hex(0x767676)) - 4.54).abs() < 0.01);
    }

    #[test]
    fn greys_look_the_same_to_every_sight() {
        for sight in Sight::ALL {
            assert!(distance(sight, Rgb::hex(0x808080), Rgb::hex(0x808080)) < 1e-9);
            let [_, a, b] = sight.lab(Rgb::hex(0x808080));
            assert!(a.hypot(b) < 0.1, "{sight:?}");
        }
        // Red and green of one lightness part for normal sight only.
        let (red, green) = (Rgb::hex(0xc06048), Rgb::hex(0x768a48));
        assert!(distance(Sight::Normal, red, green) > 35.0);
        assert!(distance(Sight::Deuteranopia, red, green) < 12.0);
    }
}
