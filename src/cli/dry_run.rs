//! `film --dry-run`: frames, seconds and expected size, nothing drawn.

use super::Tone;
use super::shot::Shot;
use crate::film::Film;

/// Says what would be made.
pub fn say(shot: &Shot, film: &Film, crf: Option<u8>, tone: Tone) {
    let timeline = film.scene().timeline();
    let (w, h) = film.request().size;
    let seconds = timeline.frames as f64 / f64::from(timeline.fps);
    // Measured on films of both bundled searches with the default preset: a frame in which
    // something moves takes about 0.0092 bytes a pixel at crf 18 (regroup: 0.024), half of that
    // with every 6 steps of crf.
    let part = |name| {
        timeline
            .stretch(name)
            .map_or(0, |s: crate::film::timeline::Stretch| s.last + 1 - s.first)
    };
    let regroup = part(crate::film::timeline::Part::Regroup) as f64;
    let moving = part(crate::film::timeline::Part::Search) as f64;
    let scale = 2f64.powf((18.0 - f64::from(crf.unwrap_or(18))) / 6.0);
    let bytes = f64::from(w) * f64::from(h) * (regroup * 0.018 + moving * 0.0022) * scale;
    if tone.json {
        println!(
            "{}",
            serde_json::json!({
                "name": shot.name, "frames": timeline.frames, "seconds": seconds,
                "width": w, "height": h, "states": timeline.states.len(),
                "expected_bytes": bytes.round() as u64,
            })
        );
        return;
    }
    println!(
        "{}: {} frames, {seconds:.3} s at {} frames/s, {w}x{h}, {} states, about {:.1} MB",
        shot.name,
        timeline.frames,
        timeline.fps,
        timeline.states.len(),
        bytes / 1e6
    );
    for p in &timeline.parts {
        println!("  {:8} frames {} to {}", p.part.name(), p.first, p.last);
    }
}
