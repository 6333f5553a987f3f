//! `marquis serve`

use std::io::IsTerminal as _;
use std::sync::Mutex;

use anyhow::Context as _;
use marquis_api::Config;

use crate::arguments::Serve;
use crate::exit::Exit;
use crate::interrupt::STOP;
use crate::progress::Shown;

pub(crate) fn run(asked: Serve) -> anyhow::Result<Exit> {
    let print = asked.print_config;
    let config = config(asked)?;
    if print {
        anstream::print!("{}", toml::to_string_pretty(&config)?);
        return Ok(Exit::Answered);
    }
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal()).init();
    let shown = Mutex::new(Shown::new());
    marquis_api::serve(config, &STOP, move |progress| {
        if let Ok(mut shown) = shown.lock() {
            shown.show(progress);
        }
    })?;
    Ok(Exit::Answered)
}

/// The file's settings, and over them what the command line says.
fn config(asked: Serve) -> anyhow::Result<Config> {
    let mut config = match &asked.config {
        None => Config::default(),
        Some(file) => {
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            toml::from_str(&text).with_context(|| format!("{} is no configuration", file.display()))?
        }
    };
    if let Some(bind) = asked.bind {
        config.bind = bind;
    }
    if !asked.tables.is_empty() {
        config.tables = asked.tables;
    }
    config.state = asked.state.or(config.state);
    config.memory = asked.memory.unwrap_or(config.memory);
    config.build_starter &= !asked.no_starter;
    Ok(config)
}
