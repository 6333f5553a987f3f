//! `marquis work`

use clap::Args;

use crate::arguments::{LimitArgs, TableArgs};
use crate::exit::{CommandEnd, CommandFailure};
use crate::log::LogArgs;
use crate::output::Format;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  marquis work http://studies.example:8017
  marquis work 'http://studies.example:8017/studies/?study=flowish-5' --threads 4 --memory 2GiB
  marquis work http://studies.example:8017/v1/studies/flowish-5 --seconds 3600

Takes jobs of a study from a service that was started with `marquis serve --studies DIR --helpers N`, and sends the
results, which count once they are replayed there. Each thread is one helper. Without the name of a study the first one
that takes helpers is chosen, and another one after it. Ctrl-C gives the jobs back; the exit code is then 130.
A program compiled without --features remote works only for http://.")]
pub(crate) struct WorkFor {
    /// Address of the service, of its page of studies or of one study
    #[arg(value_name = "URL")]
    address: String,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    tables: TableArgs,
}

#[cfg(not(feature = "http"))]
impl WorkFor {
    pub(super) fn run(self, _: Format) -> Result<CommandEnd, CommandFailure> {
        Err(CommandFailure::bad_input(format!(
            "{}: this program was compiled without the network; compile it with --features http or remote",
            self.address
        )))
    }
}

#[cfg(feature = "http")]
mod served {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use marquis_core::Immobile;
    use marquis_engine::study::WorkPlace;
    use marquis_engine::{Limits, Query};
    use marquis_wire::ending::SearchEnd;
    use marquis_wire::study::StudyHelpers;

    use super::super::study::{no_work, told_of_work};
    use super::{CommandEnd, CommandFailure, Format, WorkFor};
    use crate::output::remark;
    use crate::progress::watched;
    use crate::study_service::{ListedStudy, StudyService};
    use crate::{games, interrupt};

    /// The interval between two looks for a study that takes helpers.
    const LOOK: Duration = Duration::from_secs(3);
    /// The interval between two checks for Ctrl-C.
    const CHECK: Duration = Duration::from_millis(50);

    /// The studies that a helper may work for.
    struct Wanted {
        address: String,
        service: StudyService,
        /// The named study, or a set-up whose colours are studies.
        named: Option<String>,
        limits: Limits,
        begun: Instant,
    }

    impl WorkFor {
        pub(in super::super) fn run(self, format: Format) -> Result<CommandEnd, CommandFailure> {
            self.log.open()?;
            let (service, named) = StudyService::read(&self.address)?;
            let engine = self.tables.open_without_book(Vec::new())?;
            let (limits, begun) = (self.limits.limits(), Instant::now());
            let wanted = Wanted { address: self.address, service, named, limits, begun };
            let mut studies = wanted.listed()?;
            wanted.check(&studies)?;
            let work_for = |study: &ListedStudy, left: &Limits| {
                let served = wanted.service.jobs_of(&study.name);
                let (query, place) = (study.query()?, WorkPlace::Service(&served));
                let work = watched(|control| engine.work_for_study(&query, place, left, control))?;
                Ok::<_, CommandFailure>(work)
            };
            let mut done = no_work(SearchEnd::Answered);
            while studies.is_empty() || !studies.iter().all(ListedStudy::is_answered) {
                match studies.iter_mut().find(|study| study.helpers == StudyHelpers::Wanted) {
                    Some(study) => {
                        let left = wanted.left(done.nodes);
                        done = done.and(&work_for(study, &left)?);
                        if done.ended == SearchEnd::Answered {
                            // The service may show it a moment later.
                            study.helpers = StudyHelpers::Answered;
                            continue;
                        }
                        if done.ended != SearchEnd::Stopped || interrupt::stopped() {
                            break;
                        }
                    }
                    None => remark("no study takes helpers now; waiting"),
                }
                if let Some(end) = wanted.pause() {
                    done.ended = end;
                    break;
                }
                // The service may be away for a while.
                studies = wanted.listed().unwrap_or_else(|failure| {
                    remark(&format!("warning: {}", failure.message));
                    Vec::new()
                });
                done.ended = SearchEnd::Answered;
            }
            told_of_work(&done, format)
        }
    }

    impl Wanted {
        /// The studies that the service shows, as far as they are wanted.
        fn listed(&self) -> Result<Vec<ListedStudy>, CommandFailure> {
            let all = self.service.studies(&interrupt::stopped)?;
            let Some(named) = &self.named else { return Ok(all) };
            let (found, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|study| study.is_of(named));
            if found.is_empty() {
                let names: Vec<_> = others.into_iter().map(|study| study.name).collect();
                let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                let message = format!("{named}: expected a study that the service shows, found {names}");
                return Err(CommandFailure::bad_input(message));
            }
            Ok(found)
        }

        /// Checks for something to do, now or later.
        fn check(&self, studies: &[ListedStudy]) -> Result<(), CommandFailure> {
            let is_useful =
                |study: &ListedStudy| study.is_answered() || study.helpers == StudyHelpers::Wanted;
            if !studies.is_empty() && studies.iter().any(is_useful) {
                return Ok(());
            }
            let is_forbidden = studies.iter().all(|study| study.helpers == StudyHelpers::Forbidden);
            let found = match studies.len() {
                0 => "none at all".to_owned(),
                _ if is_forbidden => "a service without `--helpers N`".to_owned(),
                all => format!("{all} without a process that works on them"),
            };
            let message = format!("{}: expected a study that takes helpers, found {found}", self.address);
            Err(CommandFailure::failed(message))
        }

        /// The limits for the rest of the work.
        ///
        /// * `spent`: nodes so far.
        fn left(&self, spent: u64) -> Limits {
            let time = self.limits.time.map(|time| time.saturating_sub(self.begun.elapsed()));
            Limits { time, nodes: self.limits.nodes.map(|most| most.saturating_sub(spent)), ..self.limits }
        }

        /// Waits before the next look; returns why the work ends instead.
        fn pause(&self) -> Option<SearchEnd> {
            let begun = Instant::now();
            while begun.elapsed() < LOOK {
                if interrupt::stopped() {
                    return Some(SearchEnd::Stopped);
                }
                if self.limits.time.is_some_and(|time| self.begun.elapsed() >= time) {
                    return Some(SearchEnd::Time);
                }
                sleep(CHECK);
            }
            None
        }
    }

    impl ListedStudy {
        fn is_answered(&self) -> bool {
            self.report.value.is_some() || self.helpers == StudyHelpers::Answered
        }

        /// Whether it is the named study, or a colour of the named set-up.
        fn is_of(&self, named: &str) -> bool {
            let colour = self.name.strip_prefix(named);
            colour.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        }

        fn query(&self) -> Result<Query, CommandFailure> {
            let Some(game) = games::find(&self.report.game) else {
                let (games, found) = (games::registry().names(), &self.report.game);
                let advice = "a newer program may know it";
                let message = format!("{}: expected one of {games}, found {found}; {advice}", self.name);
                return Err(CommandFailure::failed(message));
            };
            let read = |text: &String| text.parse::<Immobile>();
            let immobile = self.report.immobile.as_ref().map_or(Ok(Immobile::default()), read);
            let immobile = immobile.map_err(|error| CommandFailure::failed(error.to_string()))?;
            Ok(Query { immobile, ..Query::new(game.id(), self.report.position.clone()) })
        }
    }
}
