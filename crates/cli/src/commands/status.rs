//! `marquis status`

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::arguments::TABLES_FOLDER;
use crate::building::Building;
use crate::exit::{Ending, Failure};
use crate::output::{self, Format};
use crate::words::{count, duration, plural};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis status
  marquis status tablebases --json

Asks from another terminal how far `generate` is that builds into this folder. A build that was stopped or killed is
resumed by the command that began it. Exit code 3 where nothing is being built.")]
pub(crate) struct Status {
    /// The folder of the tables
    #[arg(value_name = "DIR", default_value = TABLES_FOLDER)]
    folder: PathBuf,
}

/// What is said of a folder.
#[derive(Serialize)]
struct Said {
    folder: String,
    /// Whether a build goes on there.
    running: bool,
    /// Null where none goes on and none was broken off.
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<Building>,
}

impl Status {
    pub(super) fn run(self, format: Format) -> Result<Ending, Failure> {
        let place = self.folder.display();
        if !self.folder.is_dir() {
            return Err(Failure::bad_input(format!(
                "{place}: expected a folder of tables, as `generate --out` names it, found none"
            )));
        }
        let build = Building::of(&self.folder).map_err(|error| {
            Failure::failed(format!("{place}: how far its build is cannot be read: {error}"))
        })?;
        let running = build.as_ref().is_some_and(Building::goes_on);
        let said = Said { folder: place.to_string(), running, build };
        output::answer(&said, format, say)?;
        Ok(if running { Ending::Answered } else { Ending::LimitReached })
    }
}

fn say(said: &Said) -> String {
    let Said { folder, running, build } = said;
    let Some(build) = build else { return format!("nothing is being built in {folder}\n") };
    let Building { game, variant, phase, layers, kept, process, .. } = build;
    let done = match build.total {
        Some(total) if total > 0 => {
            let percent = build.done as f64 * 100.0 / total as f64;
            format!("{} of {} slots ({percent:.0} %)", count(build.done), count(total))
        }
        _ => format!("{} slots", count(build.done)),
    };
    let rate = build.rate.map_or(String::new(), |rate| format!(", {} a second", count(rate as u64)));
    let left = build.remaining_seconds.filter(|_| *running);
    let left = left.map_or(String::new(), |left| format!(", about {} left", duration(left)));
    let state = if *running {
        format!("process {process} builds, {} by now", duration(build.seconds))
    } else {
        format!("process {process} is gone; the same command resumes the build")
    };
    format!(
        "{game} {variant}: {layers} {}, {kept} of them finished before\n{phase}: {done}{rate}{left}\n{state}; written {} ago\n",
        plural(*layers as u64, "layer", "layers"),
        duration(build.age() as f64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_names_rate_remaining_time_and_a_process_that_is_gone() {
        let build = Building {
            game: "squish".to_owned(),
            variant: "side=4".to_owned(),
            process: 7,
            phase: "layer 5v5".to_owned(),
            done: 250,
            total: Some(1000),
            layers: 25,
            kept: 3,
            seconds: 5.0,
            rate: Some(50.0),
            remaining_seconds: Some(15.0),
            written: 0,
        };
        let said = |running| say(&Said { folder: "t".to_owned(), running, build: Some(build.clone()) });
        let on = said(true);
        assert!(on.starts_with("squish side=4: 25 layers, 3 of them finished before\n"), "{on}");
        assert!(on.contains("layer 5v5: 250 of 1,000 slots (25 %), 50 a second, about 15 s left\n"), "{on}");
        assert!(on.contains("process 7 builds, 5 s by now"), "{on}");
        let gone = said(false);
        assert!(gone.contains("process 7 is gone; the same command resumes the build"), "{gone}");
        assert!(!gone.contains("left"), "{gone}");
    }
}
