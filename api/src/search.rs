//! Searches with a budget; equal questions at the same time share one search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use marquis_core::Sharing;
use marquis_engine::{Control, Engine, EngineError, Limits};
use marquis_wire::{DiskSize, MemorySize};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use crate::answered::Answered;
use crate::faults::{Faults, without_damaged};
use crate::pool::Pool;
use crate::problem::Problem;
use crate::question::PositionQuestion;

/// The result of a search, shared by all its waiters.
type SearchOutcome = Result<Arc<Answered>, Problem>;

/// The time beyond its budget that a search may take before it is asked to stop.
const GRACE: Duration = Duration::from_millis(500);
/// The time that it may then take to report its result so far before it is given up: far more than it needs, even on
/// a busy machine.
const HURRY: Duration = Duration::from_secs(1);

/// Searches yield to the threads that serve clients.
static SHARING: Sharing = Sharing::yielding();

/// The state of a search.
#[derive(Clone)]
enum SearchState {
    Queued,
    Running,
    Ended(SearchOutcome),
}

/// Identifies equal searches: [`PositionQuestion::key`], and the budget.
type Key = (String, Duration);

/// A search that is queued or running.
struct InFlight {
    stop: Arc<AtomicBool>,
    waiters: usize,
    state: watch::Receiver<SearchState>,
}

type InFlights = DashMap<Key, InFlight>;

/// The searches of the service.
pub(crate) struct Searches {
    pool: Pool,
    in_flight: Arc<InFlights>,
    faults: Arc<Faults>,
    memory: MemorySize,
    patience: Duration,
    grace: Duration,
}

impl Searches {
    /// * `memory`: of one search.
    /// * `patience`: how long a request may wait for a thread.
    /// * `faults`: receives tables that turn out to be damaged.
    pub(crate) fn new(pool: Pool, memory: MemorySize, patience: Duration, faults: Arc<Faults>) -> Self {
        Self { pool, in_flight: Arc::default(), faults, memory, patience, grace: GRACE }
    }

    /// The answer that a search finds within the budget; `None` if the search does not end in time.
    ///
    /// The search is stopped when its last waiter leaves.
    ///
    /// # Errors
    /// 429 if the queue is full; 503 if no thread became free; errors of the façade.
    pub(crate) async fn answer(
        &self,
        engine: &Arc<Engine>,
        question: PositionQuestion,
    ) -> Result<Option<Arc<Answered>>, Problem> {
        self.answer_within(engine, question, self.patience).await
    }

    /// The same for a caller that waits at most `patience` for a thread.
    pub(crate) async fn answer_within(
        &self,
        engine: &Arc<Engine>,
        question: PositionQuestion,
        patience: Duration,
    ) -> Result<Option<Arc<Answered>>, Problem> {
        let budget = question.budget;
        let mut waiter = self.join(engine, question)?;
        let begun = waiter.state.wait_for(|state| !matches!(state, SearchState::Queued));
        let Ok(begun) = timeout(patience, begun).await else { return Err(Problem::waited_too_long()) };
        // The sender is dropped only after a panic.
        begun.map_err(|_| Problem::internal())?;
        if let Ok(found) = timeout(budget + self.grace, waiter.found()).await {
            return found.map(Some);
        }
        waiter.hurry();
        timeout(HURRY, waiter.found()).await.ok().transpose()
    }

    /// Runs other work that takes as long as a search, queued like a search.
    ///
    /// * `work`: gets the limits of a search, except for the time.
    ///
    /// # Errors
    /// 429 if the queue is full; 503 if no thread became free; errors of `work`.
    pub(crate) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Limits) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let limits = self.limits();
        let ((begin, begun), (sender, done)) = (oneshot::channel(), oneshot::channel());
        let task = move || {
            // If the caller has given up waiting, nobody needs the work.
            if begin.send(()).is_ok() {
                let _ = sender.send(work(&limits));
            }
        };
        self.pool.submit(task).map_err(|_| Problem::queue_full())?;
        timeout(self.patience, begun)
            .await
            .map_err(|_| Problem::waited_too_long())?
            .map_err(|_| Problem::internal())?;
        done.await.map_err(|_| Problem::internal())?
    }

    /// The limits of a search, except for time and positions.
    fn limits(&self) -> Limits {
        let (memory, threads, disk) = (Some(self.memory), Some(1), Some(DiskSize::NONE));
        Limits { memory, threads, disk, ..Limits::default() }
    }

    /// The number of waiting and running searches.
    pub(crate) fn count(&self) -> usize {
        self.in_flight.len()
    }

    /// Stops every search.
    pub(crate) fn stop(&self) {
        for search in self.in_flight.iter() {
            search.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Joins the search in flight for this question, or starts one.
    fn join(&self, engine: &Arc<Engine>, question: PositionQuestion) -> Result<Waiter, Problem> {
        let key = (question.key(), question.budget);
        let in_flight = Arc::clone(&self.in_flight);
        match self.in_flight.entry(key.clone()) {
            Entry::Occupied(mut found) => {
                let search = found.get_mut();
                search.waiters += 1;
                let (stop, state) = (Arc::clone(&search.stop), search.state.clone());
                Ok(Waiter { in_flight, key, stop, state })
            }
            Entry::Vacant(empty) => {
                let search = self.begin(Arc::clone(engine), key.clone(), question)?;
                let (stop, state) = (Arc::clone(&search.stop), search.state.clone());
                empty.insert(search);
                Ok(Waiter { in_flight, key, stop, state })
            }
        }
    }

    /// Queues a search. The caller holds the lock of its entry in the map.
    fn begin(&self, engine: Arc<Engine>, key: Key, question: PositionQuestion) -> Result<InFlight, Problem> {
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, state) = watch::channel(SearchState::Queued);
        let (time, nodes, goal) = (Some(question.budget), question.nodes, Some(question.goal));
        let limits = Limits { time, nodes, goal, ..self.limits() };
        let (in_flight, stopped) = (Arc::clone(&self.in_flight), Arc::clone(&stop));
        let faults = Arc::clone(&self.faults);
        let task = move || {
            // Created here, not outside: dropped with a refused task, it would take the lock that the caller holds.
            let guard = Guard { in_flight, key, stop: stopped };
            // The waiters may have left meanwhile, which is not an error.
            let _ = sender.send(SearchState::Running);
            let search = || search(&engine, &question, &limits, &guard.stop);
            let outcome = without_damaged(&engine, &faults, search).map_err(Problem::from);
            outcome.iter().for_each(|found| tell(&question, found));
            let _ = sender.send(SearchState::Ended(outcome));
        };
        self.pool.submit(task).map_err(|_| Problem::queue_full())?;
        Ok(InFlight { stop, waiters: 1, state })
    }
}

/// Logs which limit ended the search before it had an answer, if any, and what would help.
fn tell(question: &PositionQuestion, found: &Answered) {
    let (Some(end), unproved) = found.answer.ended() else { return };
    let (Some(help), ended, posed) = (end.remedy(), end.name(), &question.posed) else { return };
    let (game, position) = (posed.game(), posed.text());
    match unproved.map(|unproved| MemorySize(unproved.try_memory)) {
        Some(memory) => {
            tracing::info!(%game, position, ended, help, %memory, "an answer was found, but its proof exceeded the memory");
        }
        None => tracing::debug!(%game, position, ended, help, "a search ended without an answer"),
    }
}

fn search(
    engine: &Engine,
    question: &PositionQuestion,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<Arc<Answered>, EngineError> {
    if stop.load(Ordering::Relaxed) {
        return Err(EngineError::Interrupted);
    }
    let (control, posed) = (Control::new(stop, |_| {}).with_sharing(&SHARING), &question.posed);
    if let Some(opponent) = question.opponent {
        let (answer, chosen) = engine.choose(posed, opponent, limits, &control)?;
        return Ok(Arc::new(Answered::chosen(answer, chosen)));
    }
    let solved = if question.line {
        engine.solve_with_line(posed, limits, &control).map(|(answer, line)| (answer, Some(line)))
    } else {
        engine.solve(posed, limits, &control).map(|answer| (answer, None))
    };
    let (answer, line) = match solved {
        // "Unknown within the limits" is a valid answer.
        Err(EngineError::LimitReached(_) | EngineError::TooLarge { .. }) => (engine.probe_now(posed)?, None),
        solved => solved?,
    };
    Ok(Arc::new(Answered::of(answer, line)))
}

/// Removes a finished search from the map, also after a panic.
struct Guard {
    in_flight: Arc<InFlights>,
    key: Key,
    stop: Arc<AtomicBool>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.in_flight.remove_if(&self.key, |_, search| Arc::ptr_eq(&search.stop, &self.stop));
    }
}

/// The right to wait for a search; the last one to give it up stops the search.
struct Waiter {
    in_flight: Arc<InFlights>,
    key: Key,
    stop: Arc<AtomicBool>,
    state: watch::Receiver<SearchState>,
}

impl Waiter {
    /// Waits for the result of the search.
    async fn found(&mut self) -> SearchOutcome {
        let ended = self.state.wait_for(|state| matches!(state, SearchState::Ended(_))).await;
        // The sender is dropped only after a panic.
        match &*ended.map_err(|_| Problem::internal())? {
            SearchState::Ended(outcome) => outcome.clone(),
            SearchState::Queued | SearchState::Running => Err(Problem::internal()),
        }
    }

    /// Asks the search to stop; later equal requests start a new one.
    fn hurry(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.in_flight.remove_if(&self.key, |_, search| Arc::ptr_eq(&search.stop, &self.stop));
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.in_flight.remove_if_mut(&self.key, |_, search| {
            if !Arc::ptr_eq(&search.stop, &self.stop) {
                return false;
            }
            search.waiters -= 1;
            if search.waiters == 0 {
                search.stop.store(true, Ordering::Relaxed);
            }
            search.waiters == 0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Priority;
    use marquis_engine::{EngineOptions, Query};
    use marquis_wire::answer::Answer;
    use marquis_wire::ending::SearchEnd;

    #[actix_web::test]
    async fn a_search_that_is_late_still_says_what_it_thinks() {
        let registry = marquis_registry::official();
        let (engine, _) = Engine::open(registry.clone(), EngineOptions::default()).unwrap();
        let pool = Pool::new("late", 1, 1, Priority::Equal).unwrap();
        let patience = Duration::from_secs(60);
        let searches = Searches {
            grace: Duration::ZERO,
            ..Searches::new(pool, MemorySize(64 << 20), patience, Arc::default())
        };
        // Milliseconds cannot decide the first game on a larger board.
        let query = Query::new(registry.games().next().unwrap().id(), "start:5");
        let question = |budget| PositionQuestion {
            posed: registry.pose(&query).unwrap(),
            line: false,
            opponent: None,
            budget: Duration::from_millis(budget),
            goal: marquis_wire::Goal::Plies,
            nodes: None,
            cut: Vec::new(),
        };
        let engine = Arc::new(engine);
        for budget in 1..=20 {
            let found = searches.answer(&engine, question(budget)).await.unwrap();
            let found = found.unwrap_or_else(|| panic!("{budget} ms: nothing is said"));
            let Answer::Exact(answer) = &found.answer else { panic!("a game with throws") };
            assert!(answer.verdict.wdl.is_some(), "{budget} ms");
            assert_eq!(answer.ended, Some(SearchEnd::Time), "{budget} ms");
        }
    }
}
