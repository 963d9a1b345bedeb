//! From the command line to an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    memd::cli::main()
}
