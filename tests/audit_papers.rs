//! What an audit needs beside the film, and the picture that it leaves.

mod audit_files;

use audit_files::*;

#[test]
fn a_film_without_a_manifest_is_audited_by_the_layouts_own_rules() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let look = ["--size", "640x360", "--fps", "24", "--theme", "light"];
    make(folder, "double-step", &look);
    assert!(copy(folder, "-c copy -map_metadata -1", "bare.mp4"));
    let (code, out, said) = proofreel(folder, &["audit", "bare.mp4"]);
    assert_eq!(code, 2, "{out}");
    assert!(said.contains("--trace FILE"), "{said}");
    let with = ["audit", "bare.mp4", "--trace", "source.trace.json"];
    let (code, out, said) = proofreel(folder, &with);
    assert_eq!(code, 0, "{out}{said}");
    assert!(
        out.contains("no manifest came with the film")
            && out.contains("a light film in tokens style, 640x360 at 24 frames/s"),
        "{out}"
    );
    // A film of another puzzle does not pass for that.
    make(folder, "five-step-hue", &[&look[..], &["--force"]].concat());
    let (code, out, said) = proofreel(folder, &with);
    assert_eq!(code, 1, "{out}{said}");
}

#[test]
fn the_sheet_shows_what_failed_beside_what_should_be_there() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    make(folder, "double-step", &["--size", "854x480", "--fps", "24"]);
    let text = std::fs::read(folder.join("source.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let cell = &manifest["layout"]["cells"][39];
    let state = &manifest["states"][4];
    let r = |i: usize| cell["rect"][i].as_f64().unwrap();
    let how = format!(
        "-vf drawbox=x={}:y={}:w={}:h={}:color=white:t=fill:enable='between(n,{},{})' \
         -c:v libx264 -preset veryfast -crf 18 -colorspace bt709",
        r(0),
        r(1),
        r(2),
        r(3),
        state["settled"],
        state["last"]
    );
    assert!(copy(folder, &how, "lie.mp4"));
    let (code, report, said) = audit(folder, "lie.mp4", &["--sheet", "sheet.png"]);
    assert_eq!(code, 1, "{said}");
    let failed = report["findings"].as_array().unwrap().len() as u32;
    let sheet = image::open(folder.join("sheet.png")).unwrap().to_rgb8();
    // A row for each finding: what is seen there is white, and what is expected is not.
    assert!(sheet.height() > failed * 180, "{failed} {}", sheet.height());
    let middle = |left: u32| sheet.get_pixel(left + 120, 54 + 90).0;
    let (seen, expected) = (middle(24), middle(2 * 24 + 240));
    assert!(seen.iter().all(|v| *v > 240), "{seen:?}");
    assert!(expected.iter().any(|v| *v < 200), "{expected:?}");
    // Nothing failed, no sheet; and that is said.
    let good = ["audit", "source.mp4", "--sheet", "none.png"];
    let (code, _, said) = proofreel(folder, &good);
    assert_eq!(code, 0);
    assert!(said.contains("no sheet"), "{said}");
    assert!(!folder.join("none.png").exists());
}
