//! Answers many positions, piece by piece as the client takes them.
//!
//! A piece is computed on a pool thread after the client has taken the previous one; searches wait on their own
//! threads. When the client leaves, the work under way is dropped and nothing more is started.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web::Bytes;
use futures_util::stream::{self, Stream};
use marquis_engine::{Posed, Query};
use marquis_wire::Goal;
use marquis_wire::answer::Answer;
use serde::Serialize;

use crate::clients::{self, Client, Permit};
use crate::lookup::{AtOnce, MovesWanted, probe_at_once, probe_elsewhere};
use crate::pieces::PieceFailed;
use crate::problem::{Problem, ProblemDocument};
use crate::question::PositionQuestion;
use crate::room::Reservation;
use crate::state::AppState;
use crate::times::Cut;

/// A piece is sent once it has this many bytes…
pub(crate) const PIECE: usize = 64 << 10;
/// …and its thread is given to other requests after this time.
const TURN: Duration = Duration::from_millis(5);
/// The longest search for one position.
const SHORT: Duration = Duration::from_millis(1000);

/// An answer, or the problem with the position.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(untagged)]
pub(crate) enum Item {
    Answer(Answer),
    Problem { position: String, problem: ProblemDocument },
}

/// Writes the answers of tables and proofs about the positions as text.
pub(crate) struct Answering {
    state: Arc<AppState>,
    positions: std::vec::IntoIter<String>,
    /// The parameters that all positions share.
    query: Query,
    moves: MovesWanted,
    /// Whether to search for unknown positions.
    searches: bool,
    /// The piece so far.
    text: Vec<u8>,
    /// The text after the answers.
    end: Vec<u8>,
    answered: usize,
}

/// Why a turn ended.
enum Stop {
    /// The piece is large enough, or took long.
    Full,
    /// This position needs a remote table.
    NotHere(String, Posed),
    /// The tables do not know this position; a search may.
    Unknown(String, Posed, Box<Answer>),
    /// All positions are answered.
    End,
}

impl Answering {
    /// * `query`: the parameters that all positions share.
    /// * `budget`: for all searches together.
    /// * `cut`: the times that were cut to the allowed maximum.
    pub(crate) fn new(
        state: Arc<AppState>,
        positions: Vec<String>,
        query: Query,
        moves: MovesWanted,
        budget: Duration,
        cut: &[Cut],
    ) -> Self {
        let text = Vec::from(*b"{\"answers\":[");
        let searches = !budget.is_zero();
        let mut end = Vec::from(*b"]");
        if !cut.is_empty() {
            end.extend_from_slice(b",\"cut\":");
            // Strings and numbers always serialize.
            let _ = serde_json::to_writer(&mut end, cut);
        }
        end.push(b'}');
        Self { state, positions: positions.into_iter(), query, moves, searches, text, end, answered: 0 }
    }

    /// Answers from tables, for one turn.
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

    /// * `position`: as the client sent it.
    fn push(&mut self, position: String, found: Result<Answer, Problem>) {
        let item = match found {
            Ok(answer) if self.moves == MovesWanted::None => Item::Answer(without_moves(answer)),
            Ok(answer) => Item::Answer(answer),
            Err(problem) => Item::Problem { position, problem: problem.document(None) },
        };
        if self.answered > 0 {
            self.text.push(b',');
        }
        self.answered += 1;
        // An item consists of strings, numbers and lists, and a `Vec` accepts every write: this cannot fail.
        let _ = serde_json::to_writer(&mut self.text, &item);
    }
}

/// The answer of the tables about a position that is not searched.
///
/// # Errors
/// 503 if the answer is unknown and tables are still being built.
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

/// The remaining budget for searches.
pub(crate) struct SearchBudget {
    client: Client,
    /// The remaining time of all searches together.
    left: Duration,
    /// The searches of a batch run one after the other and count as one.
    permit: Option<Permit>,
}

impl SearchBudget {
    /// * `left`: the time for all searches together.
    pub(crate) const fn new(client: Client, left: Duration) -> Self {
        Self { client, left, permit: None }
    }

    /// Searches a position; returns `known` if there is no time or no room for a search.
    ///
    /// * `sharing`: the number of remaining positions, including this one.
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
            // Do not try again.
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

/// The remaining answers.
pub(crate) struct Rest {
    /// `None` while a thread has it, and after the last answer.
    work: Option<Answering>,
    searching: SearchBudget,
    place: Reservation,
    _permit: Permit,
}

impl Rest {
    pub(crate) const fn new(
        work: Answering,
        searching: SearchBudget,
        permit: Permit,
        place: Reservation,
    ) -> Self {
        Self { work: Some(work), searching, place, _permit: permit }
    }

    /// Whether every answer has been sent.
    pub(crate) const fn is_over(&self) -> bool {
        self.work.is_none()
    }

    /// The next piece of the document.
    pub(crate) async fn piece(&mut self) -> Result<Bytes, PieceFailed> {
        let mut work = self.work.take().ok_or(PieceFailed)?;
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

    /// Searches one of the positions.
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

    /// The pieces of the document, starting with `first`, which is already computed.
    pub(crate) fn after(self, first: Bytes) -> impl Stream<Item = Result<Bytes, PieceFailed>> {
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
