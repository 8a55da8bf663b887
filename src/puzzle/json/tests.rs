use super::*;

/// The puzzles of the shared case file, where it is there.
fn cases() -> Option<Vec<serde_json::Value>> {
    let folder = std::env::var("PROOFREEL_CASES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases").to_string());
    let Ok(text) = std::fs::read_to_string(format!("{folder}/puzzles.json")) else {
        eprintln!("skipped: no puzzles.json in {folder}");
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

#[test]
fn every_case_is_read_and_written_back_as_the_same_puzzle() {
    let Some(cases) = cases() else { return };
    assert!(cases.len() >= 73);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        match from_value(&case["puzzle"], "") {
            Ok(puzzle) => {
                let written = to_json(&puzzle);
                assert_eq!(from_value(&written, "").unwrap(), puzzle, "{name}");
                assert_eq!(
                    serde_json::to_string(&written).unwrap(),
                    serde_json::to_string(&to_json(&from_value(&written, "").unwrap())).unwrap()
                );
                if let Some(text) = case.get("text").and_then(|t| t.as_str()) {
                    let read = crate::puzzle::read(text.as_bytes(), name).unwrap();
                    assert_eq!(read[0].givens, puzzle.givens, "{name}");
                }
            }
            Err(error) => assert_eq!(case["expect"]["or_refused"], true, "{name}: {error}"),
        }
    }
}
