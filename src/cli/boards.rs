//! `proofreel boards`.

use anyhow::Context;
use serde_json::json;

use super::oracle::{self, Answer};
use super::{Exit, Tone};
use crate::puzzle::bundled::{self, Bundled, Claim};

/// One bundled puzzle and what was proved of it.
struct Board {
    bundled: &'static Bundled,
    givens: usize,
    answer: Answer,
}

impl Board {
    fn agrees(&self) -> bool {
        self.answer == stated(self.bundled.claim)
    }
}

/// Lists the bundled puzzles and proves how many solutions each one has.
pub fn run(tone: Tone) -> anyhow::Result<Exit> {
    let boards = bundled::ALL
        .iter()
        .map(prove)
        .collect::<anyhow::Result<Vec<Board>>>()?;
    if tone.json {
        println!("{:#}", as_json(&boards));
    } else {
        print_table(&boards);
    }
    for board in boards.iter().filter(|b| !b.agrees()) {
        eprintln!(
            "error: {} is said to have {}, but has {}; correct puzzles/{}.txt or its description",
            board.bundled.name,
            words(stated(board.bundled.claim)),
            words(board.answer),
            board.bundled.name
        );
    }
    Ok(if boards.iter().all(Board::agrees) {
        Exit::Done
    } else {
        Exit::Disagrees
    })
}

fn prove(bundled: &'static Bundled) -> anyhow::Result<Board> {
    let puzzle = bundled.read()?;
    let cells: [u8; 81] = puzzle.given_colors().try_into().ok().with_context(|| {
        format!(
            "{} does not have 81 cells; only classic grids can be proved",
            bundled.name
        )
    })?;
    Ok(Board {
        bundled,
        givens: puzzle.givens.len(),
        answer: oracle::count(&cells),
    })
}

/// What the oracle answers if the description is true.
fn stated(claim: Claim) -> Answer {
    match claim {
        Claim::One => Answer::One,
        Claim::Several => Answer::Several,
        Claim::None => Answer::None,
        Claim::Conflict => Answer::Clash,
    }
}

fn words(answer: Answer) -> &'static str {
    match answer {
        Answer::Clash => "clashing givens",
        Answer::None => "no solution",
        Answer::One => "one solution",
        Answer::Several => "two or more solutions",
    }
}

fn print_table(boards: &[Board]) {
    let width = boards
        .iter()
        .map(|b| b.bundled.name.len())
        .max()
        .unwrap_or(0);
    for board in boards {
        println!(
            "{:width$}  {:2} givens  {:21}  {}{}",
            board.bundled.name,
            board.givens,
            words(board.answer),
            board.bundled.title,
            if board.agrees() {
                ""
            } else {
                "  (NOT as stated)"
            },
        );
    }
}

fn as_json(boards: &[Board]) -> serde_json::Value {
    let list: Vec<_> = boards
        .iter()
        .map(|board| {
            // Counting stops at two, so 2 stands for two or more.
            let solutions = match board.answer {
                Answer::Clash | Answer::None => 0,
                Answer::One => 1,
                Answer::Several => 2,
            };
            json!({
                "name": board.bundled.name,
                "title": board.bundled.title,
                "givens": board.givens,
                "solutions": solutions,
                "counted_up_to": 2,
                "conflict": board.answer == Answer::Clash,
                "stated": words(stated(board.bundled.claim)),
                "proved": words(board.answer),
                "agrees": board.agrees(),
            })
        })
        .collect();
    json!({"boards": list, "agrees": boards.iter().all(Board::agrees)})
}
