//! The answers to many positions, found piece by piece as the client takes them.
//!
//! A piece is computed when the one before has been taken, on a thread of its own; searches wait on theirs. When
//! the client leaves, what is under way is dropped and nothing more is begun.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web::Bytes;
use futures_util::stream::{self, Stream};
use marquis_engine::{Answer, Goal, Posed, Query};
use serde::Serialize;
use utoipa::ToSchema;

use crate::clients::{self, Client, Permit};
use crate::lookup::{AtOnce, Moves, probe_at_once, probe_elsewhere};
use crate::pieces::Broken;
use crate::problem::{Problem, ProblemDocument};
use crate::question::PositionQuestion;
use crate::room::Place;
use crate::state::AppState;
use crate::times::Cut;

/// A piece is sent once it has so many bytes…
pub(crate) const PIECE: usize = 64 << 10;
/// …and its thread given to others after this time.
const TURN: Duration = Duration::from_millis(5);
/// The longest search for one position.
const SHORT: Duration = Duration::from_millis(1000);

/// An answer, or what is wrong with the position.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Item {
    Answer(Answer),
    Problem { position: String, problem: ProblemDocument },
}

/// What tables and proofs say about the positions, as text.
pub(crate) struct Answering {
    state: Arc<AppState>,
    positions: std::vec::IntoIter<String>,
    /// What is the same for all positions.
    query: Query,
    moves: Moves,
    /// Whether what is unknown is to be searched for.
    searches: bool,
    /// The piece so far.
    text: Vec<u8>,
    /// What comes after the answers.
    end: Vec<u8>,
    answered: usize,
}

/// Why a turn ended.
enum Stop {
    /// The piece is large enough, or has taken long.
    Full,
    /// A table has to be asked for this one that lies elsewhere.
    NotHere(String, Posed),
    /// Tables do not know this one, and a search may.
    Unknown(String, Posed, Box<Answer>),
    /// All positions are answered.
    End,
}

impl Answering {
    /// * `query`: what is the same for all positions.
    /// * `budget`: of all searches together.
    /// * `cut`: whether that is less than was asked for.
    pub(crate) fn new(
        state: Arc<AppState>,
        positions: Vec<String>,
        query: Query,
        moves: Moves,
        budget: Duration,
        cut: &[Cut],
    ) -> Self {
        let text = Vec::from(*b"{\"answers\":[");
        let searches = !budget.is_zero();
        let mut end = Vec::from(*b"]");
        if !cut.is_empty() {
            end.extend_from_slice(b",\"cut\":");
            // Words and numbers have a form in JSON.
            let _ = serde_json::to_writer(&mut end, cut);
        }
        end.push(b'}');
        Self { state, positions: positions.into_iter(), query, moves, searches, text, end, answered: 0 }
    }

    /// Answers what tables answer, for one turn.
    fn go_on(&mut self) -> Stop {
        let began = Instant::now();
        while self.text.len() < PIECE && began.elapsed() < TURN {
            let Some(position) = self.positions.next() else {
                self.text.append(&mut self.end);
                return Stop::End;
            };
            let query = Query { position, ..self.query.clone() };
            let posed = match self.state.registry().pose(&query) {
                Ok(posed) => posed,
                Err(error) => {
                    self.push(query.position, Err(error.into()));
                    continue;
                }
            };
            match probe_at_once(&self.state, &posed, self.moves) {
                Ok(AtOnce::NotHere) => return Stop::NotHere(query.position, posed),
                Ok(AtOnce::Known(known)) if self.searches && !known.is_known() => {
                    return Stop::Unknown(query.position, posed, Box::new(known));
                }
                Ok(AtOnce::Known(known)) => self.push(query.position, unsearched(&self.state, known)),
                Err(problem) => self.push(query.position, Err(problem)),
            }
        }
        Stop::Full
    }

    /// * `position`: as it was asked about.
    fn push(&mut self, position: String, found: Result<Answer, Problem>) {
        let item = match found {
            Ok(answer) if self.moves == Moves::None => Item::Answer(without_moves(answer)),
            Ok(answer) => Item::Answer(answer),
            Err(problem) => Item::Problem { position, problem: problem.document(None) },
        };
        if self.answered > 0 {
            self.text.push(b',');
        }
        self.answered += 1;
        // An item is made of texts, numbers and lists, and a list takes everything: this cannot fail.
        let _ = serde_json::to_writer(&mut self.text, &item);
    }
}

/// What tables know of a position for which nothing is searched.
///
/// # Errors
/// 503 where it is nothing, and tables are still being built.
fn unsearched(state: &AppState, known: Answer) -> Result<Answer, Problem> {
    if known.is_known() { Ok(known) } else { state.complete().map(|()| known) }
}

fn without_moves(mut answer: Answer) -> Answer {
    match &mut answer {
        Answer::Exact(answer) => answer.moves.clear(),
        Answer::Chance(answer) => answer.throws.iter_mut().for_each(|throw| throw.moves.clear()),
    }
    answer
}

/// What is left for searches.
pub(crate) struct Searching {
    client: Client,
    /// Of the time of all searches together.
    left: Duration,
    /// What the searches of the batch, one after the other, count as: one.
    permit: Option<Permit>,
}

impl Searching {
    /// * `left`: the time for all searches together.
    pub(crate) const fn new(client: Client, left: Duration) -> Self {
        Self { client, left, permit: None }
    }

    /// What a search finds; `known` where there is no time or no room for one.
    ///
    /// * `sharing`: how many positions are still to come, this one included.
    async fn find(
        &mut self,
        state: &AppState,
        posed: &Posed,
        known: Answer,
        sharing: usize,
    ) -> Result<Answer, Problem> {
        let slice = (self.left / u32::try_from(sharing.max(1)).unwrap_or(u32::MAX)).min(SHORT);
        if self.permit.is_none() {
            self.permit = state.clients().begin(self.client, clients::Undertaking::Search).ok();
        }
        if slice.is_zero() || self.permit.is_none() {
            // It is not tried again.
            self.left = Duration::ZERO;
            return unsearched(state, known);
        }
        let question = PositionQuestion {
            posed: posed.clone(),
            line: false,
            opponent: None,
            budget: slice,
            goal: Goal::Value,
            nodes: None,
            cut: Vec::new(),
        };
        let began = Instant::now();
        let searches = state.searches_of(posed.game());
        let found = searches.answer_within(state.engine()?, question, self.left).await;
        self.left = self.left.saturating_sub(began.elapsed());
        match found {
            Ok(Some(found)) => Ok(found.answer.clone()),
            Ok(None) if state.is_waiting_elsewhere(posed.game()) => Err(Problem::not_reached()),
            Ok(None) => Ok(known),
            Err(problem) if problem.is_not_reached() => Err(problem),
            Err(_) => {
                self.left = Duration::ZERO;
                unsearched(state, known)
            }
        }
    }
}

/// The answers that are still to be found and sent.
pub(crate) struct Rest {
    /// None while a thread has it, and once all is found.
    work: Option<Answering>,
    searching: Searching,
    place: Place,
    _permit: Permit,
}

impl Rest {
    pub(crate) const fn new(work: Answering, searching: Searching, permit: Permit, place: Place) -> Self {
        Self { work: Some(work), searching, place, _permit: permit }
    }

    /// Whether every answer has been given out.
    pub(crate) const fn is_over(&self) -> bool {
        self.work.is_none()
    }

    /// The next piece of the document.
    pub(crate) async fn piece(&mut self) -> Result<Bytes, Broken> {
        let mut work = self.work.take().ok_or(Broken)?;
        let before = work.answered;
        let over = loop {
            let state = Arc::clone(&work.state);
            let turn = move || {
                let stop = work.go_on();
                (work, stop)
            };
            let stop;
            (work, stop) = state.pieces().compute(turn).await?;
            match stop {
                Stop::End => break true,
                Stop::Full if work.text.len() >= PIECE => break false,
                Stop::Full => {}
                Stop::NotHere(position, posed) => {
                    let found = match probe_elsewhere(&state, &posed, work.moves).await {
                        Ok(known) if work.searches && !known.is_known() => {
                            self.search(&mut work, &posed, known).await
                        }
                        found => found,
                    };
                    work.push(position, found);
                }
                Stop::Unknown(position, posed, known) => {
                    let found = self.search(&mut work, &posed, *known).await;
                    work.push(position, found);
                }
            }
        };
        self.place.answered(work.answered - before);
        let text = Bytes::from(std::mem::take(&mut work.text));
        self.work = (!over).then_some(work);
        Ok(text)
    }

    /// What a search finds for one of the positions.
    async fn search(
        &mut self,
        work: &mut Answering,
        posed: &Posed,
        known: Answer,
    ) -> Result<Answer, Problem> {
        let sharing = work.positions.len() + 1;
        let found = self.searching.find(&work.state, posed, known, sharing).await;
        work.searches = !self.searching.left.is_zero();
        found
    }

    /// The pieces of the document from the first on, which is there already.
    pub(crate) fn after(self, first: Bytes) -> impl Stream<Item = Result<Bytes, Broken>> {
        stream::unfold((Some(first), self), async |(ready, mut rest)| {
            if let Some(first) = ready {
                return Some((Ok(first), (None, rest)));
            }
            if rest.is_over() {
                return None;
            }
            let piece = rest.piece().await;
            Some((piece, (None, rest)))
        })
    }
}
