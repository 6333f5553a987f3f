//! `marquis completions` and `marquis man`

use clap::CommandFactory as _;

use crate::arguments::Cli;
use crate::exit::Exit;

pub(crate) fn completions(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    clap_complete::generate(shell, &mut Cli::command(), "marquis", &mut std::io::stdout().lock());
    Ok(Exit::Answered)
}

pub(crate) fn manual() -> anyhow::Result<Exit> {
    clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout().lock())?;
    Ok(Exit::Answered)
}
