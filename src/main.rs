//! The `proofreel` program: parse arguments, run, print the error in one sentence, exit.

fn main() -> std::process::ExitCode {
    proofreel::cli::main()
}
