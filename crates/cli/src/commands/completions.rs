//! `marquis completions`

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use serde::Serialize;

use super::Arguments;
use crate::exit::{CommandEnd, CommandFailure};
use crate::output::{self, Format};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis completions bash > ~/.local/share/bash-completion/completions/marquis
  marquis completions fish > ~/.config/fish/completions/marquis.fish")]
pub(crate) struct Completions {
    /// Which shell
    shell: Shell,
}

#[derive(Serialize)]
struct Script {
    shell: String,
    script: String,
}

impl Completions {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "marquis", &mut script);
        let script = String::from_utf8_lossy(&script).into_owned();
        output::answer(&Script { shell: self.shell.to_string(), script }, format, |made| {
            made.script.clone()
        })?;
        Ok(CommandEnd::Answered)
    }
}
