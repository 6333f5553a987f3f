//! `marquis serve`

use std::env;
use std::ffi::OsStr;
use std::io::{ErrorKind, IsTerminal as _, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use marquis_api::{Config, ServeError};
use marquis_wire::MemorySize;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

use crate::arguments::TableArgs;
use crate::exit::{CommandEnd, CommandFailure};
use crate::numbers::{NODES, THREADS, number};
use crate::output::{self, Format};
use crate::progress::ProgressWatch;
use crate::remote_tables;
use crate::{games, interrupt};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis serve
  marquis serve --bind 127.0.0.1:9000 --tables tablebases
  marquis serve --tables tablebases --tables http://tables.example/marquis
  marquis serve --print-config > marquis.toml
  marquis serve --config marquis.toml

A first start without tables builds the starter set into the first folder, by default `tablebases`; later starts are
instant. The service waits at the start for tables at an address, and reads them from there. While that server is away,
requests that need its tables get 503. The variables MARQUIS_BIND, MARQUIS_TABLES, MARQUIS_WEIGHTS, MARQUIS_OFFLINE,
MARQUIS_GUIDE, MARQUIS_STATE and MARQUIS_LOG stand for the options of those names. RUST_LOG=debug logs every request.
Ctrl-C or SIGTERM ends the service after the requests in progress; after SIGTERM the exit code is 0.")]
pub(crate) struct Serve {
    /// Read settings from this TOML file; options on the command line override them
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address to listen on; with port 0 the system chooses one [default: 127.0.0.1:8017]
    #[arg(long, value_name = "ADDR", env = "MARQUIS_BIND")]
    bind: Option<String>,
    #[command(flatten)]
    tables: TableArgs,
    /// Folder with the search for browsers, as .ci/web builds it [default: the folder web next to this program, if it
    /// exists]
    #[arg(long, value_name = "DIR", env = "MARQUIS_OFFLINE", hide_env_values = true)]
    offline: Option<PathBuf>,
    /// Folder with the guide, as .ci/guide builds it [default: the folder guide next to this program, if it exists]
    #[arg(long, value_name = "DIR", env = "MARQUIS_GUIDE", hide_env_values = true)]
    guide: Option<PathBuf>,
    /// Folder with studies to show, one subfolder for each, as `marquis study --state` creates it
    #[arg(long, value_name = "DIR")]
    studies: Option<PathBuf>,
    /// Let this many helpers at a time take jobs of these studies with `marquis work`, one for each of its threads
    #[arg(long, value_name = "N", value_parser = number::<usize>(THREADS))]
    helpers: Option<usize>,
    /// Folder for jobs and their results [default: in memory]
    #[arg(long, value_name = "DIR", env = "MARQUIS_STATE")]
    state: Option<PathBuf>,
    /// Do not build the starter set if there are no tables
    #[arg(long)]
    no_starter: bool,
    /// Milliseconds for a search if the request names none
    #[arg(long, value_name = "MS", value_parser = number::<u64>(NODES))]
    budget_default_ms: Option<u64>,
    /// Maximum milliseconds for a search
    #[arg(long, value_name = "MS", value_parser = number::<u64>(NODES))]
    budget_max_ms: Option<u64>,
    /// Searches that run at the same time, one thread each
    #[arg(long, value_name = "T", value_parser = number::<usize>(THREADS))]
    threads: Option<usize>,
    /// Memory for all searches and jobs together, such as 8GiB
    #[arg(long, value_name = "SIZE")]
    memory: Option<MemorySize>,
    /// Allow pages of this origin (scheme and host) to call the service; * for all; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    cors: Vec<String>,
    /// Format of the log
    #[arg(long, value_enum, default_value_t = Log::Text, env = "MARQUIS_LOG")]
    log: Log,
    /// Only print the settings as TOML
    #[arg(long)]
    print_config: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Log {
    /// Plain lines
    Text,
    /// One JSON document per line
    Json,
}

impl Serve {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let (print, written) = (self.print_config, self.log);
        let config = self.settings()?;
        config.check().map_err(|error| CommandFailure::bad_input(error.to_string()))?;
        if print {
            let text = toml::to_string_pretty(&config);
            let text = text.map_err(|error| CommandFailure::failed(format!("the settings: {error}")))?;
            output::answer(&config, format, |_| text)?;
            return Ok(CommandEnd::Answered);
        }
        let places =
            config.addresses().map(|address| remote_tables::folder(address, Some(config.tables_cache)));
        let places = places.collect::<Result<Vec<_>, CommandFailure>>()?;
        log(written);
        let watch = ProgressWatch::new();
        let terminated = interrupt::terminated()?;
        let games = games::with_weights_of(config.weights.as_deref())?;
        marquis_api::serve(games, config, places, interrupt::flag(), move |progress| {
            watch.show(progress);
        })?;
        let interrupted = interrupt::stopped() && !terminated.load(Ordering::Relaxed);
        Ok(if interrupted { CommandEnd::Interrupted } else { CommandEnd::Answered })
    }

    /// The settings of the file, overridden by the command line.
    fn settings(self) -> Result<Config, CommandFailure> {
        let mut config = self.config.as_ref().map_or_else(|| Ok(Config::default()), read)?;
        config.bind = self.bind.unwrap_or(config.bind);
        let (tables, _) = self.tables.named();
        config.tables_cache = self.tables.cache().unwrap_or(config.tables_cache);
        if !tables.is_empty() {
            config.tables = tables;
        }
        config.weights = self.tables.weights().map(Path::to_owned).or(config.weights);
        config.offline = self.offline.or(config.offline).or_else(|| beside_the_program("web"));
        config.guide = self.guide.or(config.guide).or_else(|| beside_the_program("guide"));
        config.studies = self.studies.or(config.studies);
        config.helpers = self.helpers.unwrap_or(config.helpers);
        config.state = self.state.or(config.state);
        config.build_starter &= !self.no_starter;
        config.budget_default_ms = self.budget_default_ms.unwrap_or(config.budget_default_ms);
        config.budget_max_ms = self.budget_max_ms.unwrap_or(config.budget_max_ms);
        config.search_threads = self.threads.unwrap_or(config.search_threads);
        config.memory = self.memory.unwrap_or(config.memory);
        if !self.cors.is_empty() {
            config.cors = self.cors;
        }
        Ok(config.settled())
    }
}

/// The folder of this name beside the program, as in a release or after `.ci/web` and `.ci/guide`; `None` if it does
/// not exist.
fn beside_the_program(name: &str) -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.parent()?.join(name);
    folder.is_dir().then_some(folder)
}

fn read(file: &PathBuf) -> Result<Config, CommandFailure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| CommandFailure::failed(format!("--config {}: {error}", file.display())))?;
    toml::from_str(&text).map_err(|error| {
        CommandFailure::bad_input(format!("--config {}: {}", file.display(), error.to_string().trim()))
    })
}

/// Logs to standard error, filtered by `RUST_LOG`.
fn log(written: Log) {
    let colour = stderr().is_terminal() && env::var_os("NO_COLOR").is_none();
    let lines = fmt::layer().with_writer(stderr);
    let filtered = registry().with(levels(env::var_os("RUST_LOG").as_deref()));
    match written {
        Log::Text => filtered.with(lines.with_ansi(colour)).init(),
        Log::Json => filtered.with(lines.json().flatten_event(true)).init(),
    }
}

/// The levels in a value of `RUST_LOG`; `info` without one, and with a warning if it cannot be read.
fn levels(text: Option<&OsStr>) -> Targets {
    let usual = Targets::new().with_default(LevelFilter::INFO);
    let Some(text) = text.filter(|text| !text.is_empty()) else { return usual };
    text.to_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| {
        let expected = "a level such as debug, or levels of parts such as info,marquis_api=debug";
        output::remark(&format!("warning: RUST_LOG: expected {expected}, found {text:?}; info is used"));
        usual
    })
}

impl From<ServeError> for CommandFailure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Config(error) => Self::bad_input(error.to_string()),
            // The text is not an address; an address that is in use or not of this machine is another error.
            ServeError::Bind { ref source, .. } if source.kind() == ErrorKind::InvalidInput => {
                Self::bad_input(error.to_string())
            }
            error => Self::failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_and_info_is_used_without_readable_ones() {
        let levels = |text: &str| levels(Some(OsStr::new(text)));
        let info = Targets::new().with_default(LevelFilter::INFO);
        assert_eq!(super::levels(None), info);
        assert_eq!(levels(""), info);
        assert_eq!(levels("marquis_api=loud"), info);
        assert_eq!(levels("debug"), Targets::new().with_default(LevelFilter::DEBUG));
        let part = info.with_target("marquis_api", LevelFilter::DEBUG);
        assert_eq!(levels("info,marquis_api=debug"), part);
    }
}
