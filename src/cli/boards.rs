//! `proofreel boards`.

use anyhow::{anyhow, bail};
use serde_json::json;

use super::oracle::{self, Answer};
use super::{Exit, Tone};
use crate::puzzle::Puzzle;
use crate::puzzle::bundled::{self, Bundled, Claim};
use crate::verify;

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
            "error: {} is said to have {}, but has {}; correct its file in puzzles/ or its \
             description",
            board.bundled.name,
            words(stated(board.bundled.claim)),
            words(board.answer),
        );
    }
    Ok(if boards.iter().all(Board::agrees) {
        Exit::Done
    } else {
        Exit::Disagrees
    })
}

/// Branches that the count of a puzzle with rules may try, some seconds' worth.
const MAX_NODES: u64 = 1_000_000;

fn prove(bundled: &'static Bundled) -> anyhow::Result<Board> {
    let puzzle = bundled.read()?;
    let classic: Option<[u8; 81]> = puzzle
        .is_classic()
        .then(|| puzzle.given_colors().try_into().ok())
        .flatten();
    let answer = match classic {
        Some(cells) => oracle::count(&cells),
        None => with_rules(&puzzle, bundled.name)?,
    };
    Ok(Board {
        bundled,
        givens: puzzle.givens.len(),
        answer,
    })
}

/// What the verifier's own count says of a puzzle that the oracle of classic grids cannot read.
fn with_rules(puzzle: &Puzzle, name: &str) -> anyhow::Result<Answer> {
    let counted = verify::count_solutions(puzzle, 2, MAX_NODES)
        .map_err(|why| anyhow!("{name}: {why}; correct its file in puzzles/"))?;
    match counted {
        Some(0) => Ok(Answer::None),
        Some(1) => Ok(Answer::One),
        Some(_) => Ok(Answer::Several),
        None => bail!(
            "{name} could not be counted within {MAX_NODES} branches; give it more givens in \
             puzzles/"
        ),
    }
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
