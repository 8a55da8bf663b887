//! The commands: each in a file of its own, all of them thin.

pub mod args;
mod assumed;
mod audit;
mod board_text;
mod boards;
mod captions;
mod check;
mod companions;
mod doctor;
mod drawing;
mod dry_run;
mod extract;
mod film;
mod frames;
mod input;
mod interrupt;
mod join;
mod oracle;
mod output;
mod progress;
mod schema;
mod search;
mod sheet;
mod shoot;
mod shot;
mod show;
mod solve;
mod verify;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

/// How a command ended, short of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done, and everything that was checked agrees.
    Done,
    /// Something was checked and does not agree.
    Disagrees,
    /// Nothing could be decided or made, and that was said already.
    Nothing,
}

/// What every command is told beside its own arguments.
#[derive(Debug, Clone, Copy)]
pub struct Tone {
    /// Results and errors only.
    pub quiet: bool,
    /// Say more.
    pub verbose: bool,
    /// Results as JSON.
    pub json: bool,
}

/// Says something that is not a result, unless told to be quiet.
pub fn note(tone: Tone, text: &str) {
    if !tone.quiet {
        eprintln!("{text}");
    }
}

/// Parses the arguments, runs the command, prints the error chain as one sentence.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let tone = Tone {
        quiet: cli.quiet,
        verbose: cli.verbose,
        json: cli.json,
    };
    interrupt::install();
    let outcome = match cli.command {
        Command::Solve(args) => solve::run(&args, tone),
        Command::Verify(args) => verify::run(&args, tone),
        Command::Show(args) => show::run(&args, tone),
        Command::Film(args) => film::run(&args, tone),
        Command::Join(args) => join::run(&args, tone),
        Command::Frames(args) => frames::run(&args, tone),
        Command::Audit(args) => audit::run(&args, tone),
        Command::Extract(args) => extract::run(&args, tone),
        Command::Boards => boards::run(tone),
        Command::Check(args) => check::run(&args, tone),
        Command::Doctor => doctor::run(tone),
        Command::Schema(args) => schema::run(&args, tone),
    };
    match outcome {
        _ if interrupt::requested() => ExitCode::from(130),
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::Disagrees) => ExitCode::from(1),
        Ok(Exit::Nothing) => ExitCode::from(2),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
