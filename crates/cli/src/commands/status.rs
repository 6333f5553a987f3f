//! `marquis status`

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use marquis_engine::StudyOptions;
use marquis_engine::study::{studies_of, study_status};
use marquis_wire::study::StudyReport;
use serde::Serialize;

use super::study;
use crate::arguments::TABLES_FOLDER;
use crate::building::{BuildProgress, now};
use crate::exit::{CommandEnd, CommandFailure};
use crate::output::{self, Format};
use crate::training::Training;
use crate::value_texts::{count, duration, plural};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis status
  marquis status tablebases --json
  marquis status studies/flowish-5
  marquis status training/squish-4

Shows the progress of a `generate` into this folder, or of a `study` or `train` with this --state. Run it in another
terminal. To resume stopped work, give the command that started it. Exit code 3 if nothing is running.")]
pub(crate) struct Status {
    /// Folder of the tables, the study or the training
    #[arg(value_name = "DIR", default_value = TABLES_FOLDER)]
    folder: PathBuf,
}

/// The state of a folder.
#[derive(Serialize)]
struct FolderStatus {
    folder: String,
    /// Whether anything runs there.
    running: bool,
    /// Left out if no build runs there and none was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<BuildProgress>,
    /// Left out if no training runs there and none was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    training: Option<Training>,
    /// A set-up has one study for each colour that was started.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    studies: Vec<StudyReport>,
}

/// A study without news for this long is not running; it waits as long for its own workers.
const SILENT: Duration = StudyOptions::LEASE;

impl Status {
    pub(super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
        let place = self.folder.display();
        if !self.folder.is_dir() {
            return Err(CommandFailure::bad_input(format!(
                "{place}: expected a folder of tables, as `generate --out` names it, or the --state of a study or \
                 training, found none"
            )));
        }
        let said = FolderStatus::of(&self.folder)?;
        let ending = if said.running { CommandEnd::Answered } else { CommandEnd::LimitReached };
        output::answer(&said, format, say)?;
        Ok(ending)
    }
}

impl FolderStatus {
    fn of(folder: &Path) -> Result<Self, CommandFailure> {
        let place = folder.display();
        let build = BuildProgress::of(folder).map_err(|error| {
            CommandFailure::failed(format!("{place}: the progress of its build cannot be read: {error}"))
        })?;
        let training = Training::of(folder).map_err(|error| {
            CommandFailure::failed(format!("{place}: the progress of its training cannot be read: {error}"))
        })?;
        let studies = studies_of(folder).into_iter().map(|study| study_status(&study.folder));
        let studies = studies.collect::<Result<Vec<_>, _>>()?;
        let running = build.as_ref().is_some_and(BuildProgress::goes_on)
            || training.as_ref().is_some_and(Training::goes_on)
            || studies.iter().any(goes_on);
        Ok(Self { folder: place.to_string(), running, build, training, studies })
    }
}

fn goes_on(study: &StudyReport) -> bool {
    study.ended.is_none() && Duration::from_secs(age(study.written)) < SILENT
}

/// Seconds since a write.
fn age(written: u64) -> u64 {
    now().saturating_sub(written)
}

fn say(said: &FolderStatus) -> String {
    let FolderStatus { folder, build, training, studies, .. } = said;
    let build = build.iter().map(|build| say_build(build, build.goes_on()));
    let training = training.iter().map(|training| say_training(training, training.goes_on()));
    let studies = studies.iter().map(|report| say_study(report, goes_on(report)));
    let all: Vec<String> = build.chain(training).chain(studies).collect();
    if all.is_empty() { format!("nothing is being built in {folder}\n") } else { all.join("\n") }
}

fn say_training(training: &Training, running: bool) -> String {
    let Training { game, size, process, said, networks, generations, seconds, .. } = training;
    let size = size.as_deref().map_or(String::new(), |size| format!(" {size}"));
    let state = if running {
        format!("process {process} has been training for {}", duration(*seconds))
    } else {
        format!("process {process} has ended; the same command resumes the training")
    };
    format!(
        "{game}{size}: {networks} of {generations} {} finished\n{said}\n{state}; written {} ago\n",
        plural(*generations as u64, "generation", "generations"),
        duration(age(training.written) as f64),
    )
}

fn say_study(report: &StudyReport, running: bool) -> String {
    let state = match report.ended {
        _ if running => "it is running",
        Some(_) => "its last run is over",
        None => "its process has ended; the same command resumes it",
    };
    format!("{}{state}; written {} ago\n", study::say(report), duration(age(report.written) as f64))
}

fn say_build(build: &BuildProgress, running: bool) -> String {
    let BuildProgress { game, variant, phase, layers, kept, process, .. } = build;
    let done = match build.total {
        Some(total) if total > 0 => {
            let percent = build.done as f64 * 100.0 / total as f64;
            format!("{} of {} slots ({percent:.0} %)", count(build.done), count(total))
        }
        _ => format!("{} slots", count(build.done)),
    };
    let rate = build.rate.map_or(String::new(), |rate| format!(", {} a second", count(rate as u64)));
    let left = build.remaining_seconds.filter(|_| running);
    let left = left.map_or(String::new(), |left| format!(", about {} left", duration(left)));
    let state = if running {
        format!("process {process} has been building for {}", duration(build.seconds))
    } else {
        format!("process {process} has ended; the same command resumes the build")
    };
    format!(
        "{game} {variant}: {layers} {}, {kept} of them finished before\n{phase}: {done}{rate}{left}\n{state}; written {} ago\n",
        plural(*layers as u64, "layer", "layers"),
        duration(age(build.written) as f64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_runs_while_it_reports() {
        let report = |written: u64, ended: Option<&str>| -> StudyReport {
            serde_json::from_value(serde_json::json!({
                "game": "flowish", "position": "start:5", "turn": "w", "value": "unknown", "bounds": ["loss", "win"],
                "proof": "none", "ended": ended, "jobs": 7, "nodes": 9, "positions": 3, "root_moves": null, "line": [],
                "seconds": 1.0, "written": written,
            }))
            .expect("the files of a study")
        };
        for (written, ended, is_on, said) in [
            (now(), None, true, "it is running; written"),
            (now() - 2 * SILENT.as_secs(), None, false, "its process has ended; the same command resumes it"),
            (now(), Some("nodes"), false, "its last run is over"),
        ] {
            let report = report(written, ended);
            assert_eq!(goes_on(&report), is_on, "{report:?}");
            let told = say_study(&report, is_on);
            assert!(told.contains("nothing is proved yet") && told.contains(said), "{told}");
        }
    }

    #[test]
    fn a_training_says_what_it_is_at_while_its_process_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(Training::of(folder.path()).expect("nothing"), None);
        let mut training = Training::new("squish", Some("4"), 5);
        std::fs::write(folder.path().join("0.net"), "").expect("a network");
        training.note(folder.path(), "two lines\ngeneration 1: epoch 2, loss 0.5\n", 90.0);
        let kept = Training::of(folder.path()).expect("readable").expect("a training");
        assert_eq!(kept, training);
        assert!(kept.goes_on() && age(kept.written) < 60);
        let on = say_training(&kept, true);
        assert!(
            on.starts_with("squish 4: 1 of 5 generations finished\ngeneration 1: epoch 2, loss 0.5\n"),
            "{on}"
        );
        let gone = say_training(&kept, false);
        assert!(gone.contains("has ended; the same command resumes the training"), "{gone}");
        Training::finished(folder.path());
        assert_eq!(Training::of(folder.path()).expect("nothing"), None);
    }

    #[test]
    fn a_build_reports_rate_remaining_time_and_a_process_that_has_ended() {
        let build = BuildProgress {
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
        let on = say_build(&build, true);
        assert!(on.starts_with("squish side=4: 25 layers, 3 of them finished before\n"), "{on}");
        assert!(on.contains("layer 5v5: 250 of 1,000 slots (25 %), 50 a second, about 15 s left\n"), "{on}");
        assert!(on.contains("process 7 has been building for 5 s"), "{on}");
        let gone = say_build(&build, false);
        assert!(gone.contains("process 7 has ended; the same command resumes the build"), "{gone}");
        assert!(!gone.contains("left"), "{gone}");
    }
}
