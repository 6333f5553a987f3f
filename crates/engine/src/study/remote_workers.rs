//! Remote workers, for the process that keeps a study: their results count once they are replayed here.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use web_time::{Duration, Instant};

use marquis_core::Notation as _;
use marquis_proof::Guarantee;
use marquis_proof::checker::{Grounds, Refusal, StrategyHead};
use marquis_study::{Arrivals, Done, Worker};

use super::folder_source::WorkRequest;
use super::job_folder::{BEAT, JobFolder, LOOK, Pulse, StudyInWork, drawn_run};
use super::subject::Subject;
use crate::EngineError;
use crate::game::exact::ExactGame;
use marquis_wire::study::StudyJob;

/// The remote workers of a study.
pub(super) struct RemoteWorkers<'a, G: ExactGame> {
    asked: &'a Subject<'a, G>,
    jobs: JobFolder,
    /// The longest time without a heartbeat of a worker.
    lease: Duration,
    state: Mutex<State>,
}

struct State {
    keeper: StudyInWork,
    told: Option<Instant>,
    /// Workers that have received work, or are not trusted.
    known: HashSet<String>,
}

impl<'a, G: ExactGame> RemoteWorkers<'a, G> {
    /// Announces to workers that the study has a keeper.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub(super) fn open(
        asked: &'a Subject<'a, G>,
        jobs: JobFolder,
        lease: Duration,
    ) -> Result<Self, EngineError> {
        jobs.clear()?;
        let keeper = StudyInWork::of(asked.head(), drawn_run());
        Ok(Self {
            asked,
            jobs,
            lease,
            state: Mutex::new(State { keeper, told: None, known: HashSet::new() }),
        })
    }

    /// Announces to workers that the study has no keeper any more.
    pub(super) fn close(self, is_answered: bool) {
        let State { keeper, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.jobs.empty();
        if is_answered {
            self.jobs.write_keeper(&StudyInWork { is_answered, ..keeper });
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Announces to workers that a study needs no more work, whether it is answered or its answer is not needed.
pub(super) fn tell_answered(WorkRequest { about, jobs }: WorkRequest) {
    jobs.write_keeper(&StudyInWork { is_answered: true, ..StudyInWork::of(about, drawn_run()) });
}

impl<G: ExactGame> Arrivals<G::Position> for RemoteWorkers<'_, G> {
    fn next(&self) -> Option<Box<dyn Worker<G::Position> + '_>> {
        let mut state = self.state();
        if state.told.is_none_or(|at| at.elapsed() >= BEAT) {
            state.told = Some(Instant::now());
            state.keeper.beat += 1;
            self.jobs.write_keeper(&state.keeper);
        }
        let run = state.keeper.run;
        let id = self.jobs.workers(run).into_iter().find(|id| !state.known.contains(id))?;
        state.known.insert(id.clone());
        Some(Box::new(Other { of: self, run, id, number: 0 }))
    }
}

/// A worker of another process.
struct Other<'e, G: ExactGame> {
    of: &'e RemoteWorkers<'e, G>,
    run: u64,
    id: String,
    /// The number of its jobs.
    number: u64,
}

/// The outcome of a job.
enum Waited {
    Done(Done),
    /// The worker does not respond, and may come back.
    Lost,
    /// The result of the worker is not trusted.
    Refused,
}

impl<G: ExactGame> Worker<G::Position> for Other<'_, G> {
    fn search(&mut self, position: &G::Position, nodes: u64, halt: &AtomicBool) -> Option<Done> {
        let (jobs, asked) = (&self.of.jobs, self.of.asked);
        self.number += 1;
        let (run, number) = (self.run, self.number);
        let order = StudyJob { run, number, position: asked.game.position_text(position), nodes };
        jobs.write_order(&self.id, &order);
        let waited = self.wait(position, &order, halt);
        jobs.remove_order(&self.id);
        match waited {
            Waited::Done(done) => Some(done),
            Waited::Lost => {
                jobs.remove_worker(&self.id);
                self.of.state().known.remove(&self.id);
                None
            }
            Waited::Refused => {
                jobs.refuse(&self.id);
                None
            }
        }
    }
}

impl<G: ExactGame> Other<'_, G> {
    fn wait(&self, position: &G::Position, order: &StudyJob, halt: &AtomicBool) -> Waited {
        let (jobs, mut pulse) = (&self.of.jobs, Pulse::within(self.of.lease));
        while !halt.load(Relaxed) {
            match jobs.done(&self.id, order) {
                Ok(Some(done)) => {
                    let holds = self.replayed(position, &done, halt).is_ok();
                    return if holds { Waited::Done(done) } else { Waited::Refused };
                }
                Ok(None) => {}
                Err(_) => return Waited::Refused,
            }
            let life = jobs.life(&self.id);
            let is_leaving = life.is_some_and(|life| life.is_leaving);
            if is_leaving || !pulse.beats(life.map(|life| (life.run, life.beat))) {
                return Waited::Lost;
            }
            sleep(LOOK);
        }
        Waited::Lost
    }

    /// Whether the strategies hold by the rules alone, from the position of the job.
    fn replayed(&self, position: &G::Position, done: &Done, halt: &AtomicBool) -> Result<(), Refusal> {
        let stop = |_: usize| halt.load(Relaxed);
        for bytes in &done.strategies {
            let StrategyHead { holder, promise, .. } = StrategyHead::read(bytes)?;
            let grounds = Grounds::without_tables(&stop);
            Guarantee::from(promise).replay(self.of.asked.game, position, holder, bytes, grounds)?;
        }
        Ok(())
    }
}
