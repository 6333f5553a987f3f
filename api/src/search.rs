//! Searches with a budget; equal questions that are asked at the same time are searched once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use marquis_engine::reports::Line;
use marquis_engine::{
    Answer, Control, Engine, EngineError, GameId, Immobile, Limits, MemorySize, Posed, Throw,
};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::faults::{Faults, without_damaged};
use crate::pool::Pool;
use crate::problem::Problem;

/// A question to a search.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) posed: Posed,
    /// Whether the best line to the end is wanted.
    pub(crate) line: bool,
}

/// What a search found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) answer: Answer,
    /// The moves of the best line; none where it was not asked for.
    pub(crate) line: Option<Vec<String>>,
}

/// The moves of a line as texts.
pub(crate) fn moves_of(line: Line) -> Vec<String> {
    line.moves.into_iter().map(|mv| mv.mv).collect()
}

/// What a search came to; shared by all who wait for it.
type Outcome = Result<Arc<Found>, Problem>;

/// Beyond its budget a search may take so long to come to its end before it is given up.
const GRACE: Duration = Duration::from_millis(500);

/// How far a search is.
#[derive(Clone)]
enum Stage {
    Queued,
    Running,
    Landed(Outcome),
}

/// What makes two questions the same; positions are in canonical text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    game: GameId,
    position: String,
    immobile: Immobile,
    throw: Option<Throw>,
    line: bool,
    budget: Duration,
}

/// A search that is waiting or running.
struct Flight {
    stop: Arc<AtomicBool>,
    waiting: usize,
    stage: watch::Receiver<Stage>,
}

type Flights = DashMap<Key, Flight>;

/// The searches of the service.
pub(crate) struct Searches {
    pool: Pool,
    flights: Arc<Flights>,
    faults: Arc<Faults>,
    memory: MemorySize,
    patience: Duration,
}

impl Searches {
    /// * `memory`: of one search.
    /// * `patience`: how long a question may wait for a thread.
    /// * `faults`: is told of tables that turn out to be damaged.
    pub(crate) fn new(pool: Pool, memory: MemorySize, patience: Duration, faults: Arc<Faults>) -> Self {
        Self { pool, flights: Arc::default(), faults, memory, patience }
    }

    /// The answer that a search finds within the budget; none where it does not come to its end in time.
    ///
    /// When everybody who waits has gone, the search is stopped.
    ///
    /// # Errors
    /// 429 when the queue is full; 503 when no thread became free; what the façade says.
    pub(crate) async fn answer(
        &self,
        engine: &Arc<Engine>,
        asked: Asked,
        budget: Duration,
    ) -> Result<Option<Arc<Found>>, Problem> {
        self.answer_within(engine, asked, budget, self.patience).await
    }

    /// The same for someone who waits no longer than `patience` for a thread.
    pub(crate) async fn answer_within(
        &self,
        engine: &Arc<Engine>,
        asked: Asked,
        budget: Duration,
        patience: Duration,
    ) -> Result<Option<Arc<Found>>, Problem> {
        let mut ticket = self.join(engine, asked, budget)?;
        let begun = ticket.stage.wait_for(|stage| !matches!(stage, Stage::Queued));
        let Ok(begun) = timeout(patience, begun).await else { return Err(Problem::waited_too_long()) };
        // The sender is gone only after a panic.
        begun.map_err(|_| Problem::internal())?;
        let landed = ticket.stage.wait_for(|stage| matches!(stage, Stage::Landed(_)));
        match timeout(budget + GRACE, landed).await {
            Err(_) => Ok(None),
            Ok(Err(_)) => Err(Problem::internal()),
            Ok(Ok(stage)) => match &*stage {
                Stage::Landed(outcome) => outcome.clone().map(Some),
                Stage::Queued | Stage::Running => Ok(None),
            },
        }
    }

    /// How many searches wait or run.
    pub(crate) fn count(&self) -> usize {
        self.flights.len()
    }

    /// Stops every search.
    pub(crate) fn stop(&self) {
        for flight in self.flights.iter() {
            flight.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Joins the search for this question, or begins it.
    fn join(&self, engine: &Arc<Engine>, asked: Asked, budget: Duration) -> Result<Ticket, Problem> {
        let Asked { posed, line } = &asked;
        let (game, position, line) = (posed.game(), posed.text(), *line);
        let (immobile, throw) = (posed.immobile(), posed.throw());
        let key = Key { game, position, immobile, throw, line, budget };
        let flights = Arc::clone(&self.flights);
        match self.flights.entry(key.clone()) {
            Entry::Occupied(mut found) => {
                let flight = found.get_mut();
                flight.waiting += 1;
                let (stop, stage) = (Arc::clone(&flight.stop), flight.stage.clone());
                Ok(Ticket { flights, key, stop, stage })
            }
            Entry::Vacant(empty) => {
                let flight = self.begin(Arc::clone(engine), key.clone(), asked)?;
                let (stop, stage) = (Arc::clone(&flight.stop), flight.stage.clone());
                empty.insert(flight);
                Ok(Ticket { flights, key, stop, stage })
            }
        }
    }

    /// Puts a search into the queue. The caller holds the lock of its place in the list.
    fn begin(&self, engine: Arc<Engine>, key: Key, asked: Asked) -> Result<Flight, Problem> {
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, stage) = watch::channel(Stage::Queued);
        let (time, memory) = (Some(key.budget), Some(self.memory));
        let limits = Limits { time, memory, threads: Some(1), ..Limits::default() };
        let (flights, stopped) = (Arc::clone(&self.flights), Arc::clone(&stop));
        let faults = Arc::clone(&self.faults);
        let task = move || {
            // Made here and not outside: dropped with a refused task, it would ask for the lock that is held.
            let landing = Landing { flights, key, stop: stopped };
            // Whoever waits may have left meanwhile, which is no fault.
            let _ = sender.send(Stage::Running);
            let search = || search(&engine, &asked, &limits, &landing.stop);
            let found = without_damaged(&engine, &faults, search).map_err(Problem::from);
            let _ = sender.send(Stage::Landed(found));
        };
        self.pool.submit(task).map_err(|_| Problem::queue_full())?;
        Ok(Flight { stop, waiting: 1, stage })
    }
}

fn search(
    engine: &Engine,
    asked: &Asked,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<Arc<Found>, EngineError> {
    if stop.load(Ordering::Relaxed) {
        return Err(EngineError::Interrupted);
    }
    let (control, posed) = (Control::new(stop, |_| {}), &asked.posed);
    let solved = if asked.line {
        engine.solve_with_line(posed, limits, &control).map(|(answer, line)| (answer, Some(moves_of(line))))
    } else {
        engine.solve(posed, limits, &control).map(|answer| (answer, None))
    };
    let (answer, line) = match solved {
        // Nothing to say within the limits is an answer too.
        Err(EngineError::LimitReached(_) | EngineError::TooLarge { .. }) => (engine.probe(posed)?, None),
        solved => solved?,
    };
    Ok(Arc::new(Found { answer, line }))
}

/// Takes a finished search off the list, also after a panic.
struct Landing {
    flights: Arc<Flights>,
    key: Key,
    stop: Arc<AtomicBool>,
}

impl Drop for Landing {
    fn drop(&mut self) {
        self.flights.remove_if(&self.key, |_, flight| Arc::ptr_eq(&flight.stop, &self.stop));
    }
}

/// The right to wait for a search; the last one to give it up stops the search.
struct Ticket {
    flights: Arc<Flights>,
    key: Key,
    stop: Arc<AtomicBool>,
    stage: watch::Receiver<Stage>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.flights.remove_if_mut(&self.key, |_, flight| {
            if !Arc::ptr_eq(&flight.stop, &self.stop) {
                return false;
            }
            flight.waiting -= 1;
            if flight.waiting == 0 {
                flight.stop.store(true, Ordering::Relaxed);
            }
            flight.waiting == 0
        });
    }
}
