//! Films that lie, each in one way at a place chosen by dice, and what the audit says of them.

mod audit_film;

use audit_film::*;
use proofreel::audit::Verdict;

#[test]
fn an_honest_film_matches() {
    let film = Film::of(&short_puzzle());
    let report = film.audit().unwrap();
    println!("{}", report.summary("film", 20));
    assert_eq!(report.verdict, Verdict::Match);
    let frames = film.manifest.film.frames;
    assert_eq!(report.checks.total, frames * 162);
    assert_eq!(report.checks.settled_states, 9 * 162);
}
