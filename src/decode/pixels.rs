//! Pixel formats by ffmpeg's names: which are handed out as they are, and what others become.

use super::PixelLayout;

/// How pictures of one pixel format are handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Delivery {
    /// The planar format that the decoder is asked for.
    pub format: String,
    /// How its samples lie.
    pub layout: PixelLayout,
    /// Whether RGB must be turned into YCbCr first.
    pub from_rgb: bool,
}

/// Finds the planar format that holds everything that `name` holds; `None` where there is none.
pub(super) fn delivery(name: &str) -> Option<Delivery> {
    let planar = |format: &str| {
        Some(Delivery {
            format: format.to_string(),
            layout: planar_layout(format)?,
            from_rgb: false,
        })
    };
    if let Some(found) = planar(name) {
        return Some(found);
    }
    let base = name.trim_end_matches("le").trim_end_matches("be");
    // Semi-planar and packed formats, and planes with transparency, which a film does not need.
    let same_samples = match base {
        "nv12" | "nv21" => "yuv420p",
        "nv16" | "yuyv422" | "uyvy422" | "yvyu422" => "yuv422p",
        "nv24" | "nv42" => "yuv444p",
        "p010" => "yuv420p10le",
        "p012" | "p016" => "yuv420p12le",
        "nv20" | "p210" | "y210" => "yuv422p10le",
        "p216" | "y212" => "yuv422p12le",
        "p410" => "yuv444p10le",
        "p416" => "yuv444p12le",
        "yuv420p9" => "yuv420p10le",
        "yuv422p9" => "yuv422p10le",
        "yuv444p9" => "yuv444p10le",
        "yuv420p14" | "yuv420p16" => "yuv420p12le",
        "yuv422p14" | "yuv422p16" => "yuv422p12le",
        "yuv444p14" | "yuv444p16" => "yuv444p12le",
        "yuv420p10" => "yuv420p10le",
        "yuv422p10" => "yuv422p10le",
        "yuv444p10" => "yuv444p10le",
        "yuv420p12" => "yuv420p12le",
        "yuv422p12" => "yuv422p12le",
        "yuv444p12" => "yuv444p12le",
        "yuva420p" => "yuv420p",
        "yuva422p" => "yuv422p",
        "yuva444p" => "yuv444p",
        "yuva420p10" => "yuv420p10le",
        "yuva422p10" => "yuv422p10le",
        "yuva444p10" => "yuv444p10le",
        "yuva422p12" => "yuv422p12le",
        "yuva444p12" => "yuv444p12le",
        _ => "",
    };
    if !same_samples.is_empty() {
        return planar(same_samples);
    }
    let rgb = match base {
        "rgb24" | "bgr24" | "0rgb" | "rgb0" | "0bgr" | "bgr0" | "argb" | "rgba" | "abgr"
        | "bgra" | "gbrp" | "gbrap" | "pal8" => "yuv444p",
        "gbrp9" | "gbrp10" | "gbrap10" | "x2rgb10" | "x2bgr10" => "yuv444p10le",
        "gbrp12" | "gbrap12" | "gbrp14" | "gbrp16" | "gbrap16" | "rgb48" | "bgr48" | "rgba64"
        | "bgra64" => "yuv444p12le",
        _ => return None,
    };
    planar(rgb).map(|d| Delivery {
        from_rgb: true,
        ..d
    })
}

/// The layout of a planar YCbCr format that is handed out as it is.
fn planar_layout(name: &str) -> Option<PixelLayout> {
    let (rest, full_range) = match name.strip_prefix("yuvj") {
        Some(rest) => (rest, true),
        None => (name.strip_prefix("yuv")?, false),
    };
    let (sampling, depth) = rest.split_once('p')?;
    let (chroma_shift_x, chroma_shift_y) = match sampling {
        "420" => (1, 1),
        "422" => (1, 0),
        "440" => (0, 1),
        "444" => (0, 0),
        "411" => (2, 0),
        "410" => (2, 2),
        _ => return None,
    };
    let depth = match depth {
        "" => 8,
        "10le" => 10,
        "12le" => 12,
        _ => return None,
    };
    Some(PixelLayout {
        depth,
        chroma_shift_x,
        chroma_shift_y,
        full_range,
    })
}

#[cfg(test)]
mod tests {
    use super::delivery;

    #[test]
    fn what_is_planar_is_handed_out_as_it_is() {
        for name in [
            "yuv420p",
            "yuvj420p",
            "yuv422p",
            "yuv444p",
            "yuv420p10le",
            "yuv444p12le",
            "yuv411p",
        ] {
            let d = delivery(name).expect(name);
            assert_eq!(d.format, name);
            assert_eq!(d.layout.full_range, name.starts_with("yuvj"));
        }
    }

    #[test]
    fn conversions_lose_no_bits_of_8_and_10() {
        for (name, becomes, depth) in [
            ("nv12", "yuv420p", 8),
            ("p010le", "yuv420p10le", 10),
            ("yuv422p10be", "yuv422p10le", 10),
            ("gbrp", "yuv444p", 8),
            ("gbrp10le", "yuv444p10le", 10),
        ] {
            let d = delivery(name).expect(name);
            assert_eq!((d.format.as_str(), d.layout.depth), (becomes, depth));
        }
        assert_eq!(delivery("gray"), None);
        assert_eq!(delivery("monow"), None);
        assert_eq!(delivery(""), None);
    }
}
