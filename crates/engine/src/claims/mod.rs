//! The designers' claims about a game, checked on one board.

mod cycle;
mod tabled;

use marquis_core::{Game as _, GameId, Notation as _, Reason, Score, Value};
use marquis_retro::exhaustive::Solved;

use self::cycle::find_cycle;
use self::tabled::TableFacts;
use crate::ask::query::Query;
use crate::ask::solve::Solver;
use crate::facade::Engine;
use crate::game::{ExactGame, Tabled};
use crate::know::tables::Shelf;
use crate::make::in_pool;
use crate::wire::reports::{Claim, ClaimsReport};
use crate::{Control, EngineError, Limits};

/// What is claimed of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimId {
    /// No position can be reached from itself.
    PlayEnds,
    /// Every position is won or lost.
    NoDraw,
    /// What the designer says besides.
    OfDesigner {
        /// The claim as a sentence.
        words: &'static str,
        /// Whether play ends where this holds.
        ends_play: bool,
    },
}

impl ClaimId {
    /// The claim as a sentence.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::PlayEnds => "play always ends: no position can be reached from itself",
            Self::NoDraw => "no position is a draw",
            Self::OfDesigner { words, .. } => words,
        }
    }
}

/// What was found out about a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which claim.
    pub claim: ClaimId,
    /// Whether it holds; none where it was not decided.
    pub holds: Option<bool>,
    /// A counterexample, or why it holds.
    pub evidence: String,
}

impl Finding {
    /// What follows from a look at all positions: the claim holds unless there is a counterexample.
    #[must_use]
    pub fn among_all(claim: ClaimId, counterexample: Option<String>) -> Self {
        let holds = Some(counterexample.is_none());
        let evidence = counterexample.unwrap_or_else(|| "no counterexample among all positions".to_owned());
        Self { claim, holds, evidence }
    }
}

/// The positions that claims are checked on, as far as somebody has them.
pub enum Evidence<'a, G: Tabled> {
    /// Everything that can be reached from the position, solved.
    Reachable(&'a Solved<G::Rules>),
    /// The tables of its board.
    Tables(&'a [&'a Shelf<G>]),
}

impl<G: Tabled> Clone for Evidence<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Tabled> Copy for Evidence<'_, G> {}

/// The board that the claims are checked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimsQuery {
    /// The game.
    pub game: GameId,
    /// The start position whose reachable positions are looked at: `start:3`, or a position text.
    pub position: String,
    /// What is looked at.
    pub among: Among,
}

/// The positions that claims are checked on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Among {
    /// Everything that can be reached from the position.
    #[default]
    Reachable,
    /// Everything in the loaded tables of the board.
    Tables,
}

impl Engine {
    /// What holds of everything reachable from a position, and the designer's claims about the board.
    ///
    /// # Errors
    /// Bad input; a game with throws, for which nothing is claimed; more positions than the limits allow.
    pub fn claims(
        &self,
        query: &ClaimsQuery,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<ClaimsReport, EngineError> {
        let posed = self.registry().pose(&Query::new(query.game, query.position.clone()))?;
        posed.position().claims(self, query.among, limits, control)
    }
}

/// Names and figures about positions.
pub(crate) type Facts = Vec<(String, String)>;

impl<G: ExactGame> Solver<'_, G> {
    /// Facts about the positions that are looked at, and which claims hold among them.
    pub(crate) fn claims(&self, position: &G::Position, among: Among) -> Result<ClaimsReport, EngineError> {
        match among {
            Among::Reachable => self.claims_of_reachable(position),
            Among::Tables => in_pool(self.limits, || self.claims_of_tables(position)),
        }
    }

    fn claims_of_reachable(&self, position: &G::Position) -> Result<ClaimsReport, EngineError> {
        let solved = self.everything(position)?;
        let drawn = solved.iter().find(|(_, score)| *score == Score::Draw);
        let drawn = drawn.map(|(position, _)| self.game.position_text(position));
        let cycle = find_cycle(self.game, &solved, self.control)?;
        let mut findings =
            vec![Finding::among_all(ClaimId::PlayEnds, cycle), Finding::among_all(ClaimId::NoDraw, drawn)];
        findings.extend(G::claims(self.game, position, Evidence::Reachable(&solved), self.control)?);
        let board = self.game.position_text(position);
        Ok(report::<G>(board, self.facts(&solved), findings))
    }

    fn claims_of_tables(&self, position: &G::Position) -> Result<ClaimsReport, EngineError> {
        let shelves = self.knowledge.shelves();
        let about = |shelf: &&Shelf<G>| G::same_rules(shelf.index(), self.game, position);
        let shelves: Vec<&Shelf<G>> = shelves.iter().filter(about).collect();
        let shelf = *shelves.first().ok_or_else(|| {
            let text = self.game.position_text(position);
            EngineError::LimitReached(format!("no table is about {text}; `marquis generate` builds them"))
        })?;
        let (facts, mut findings) = TableFacts { shelf, rules: self.game, control: self.control }.report()?;
        findings.extend(G::claims(self.game, position, Evidence::Tables(&shelves), self.control)?);
        end_of_play(&mut findings);
        Ok(report::<G>(G::variant(shelf.index()), facts, findings))
    }

    /// Everything reachable, solved.
    fn everything(&self, position: &G::Position) -> Result<Solved<G::Rules>, EngineError> {
        self.exhaust_up_to(position, usize::MAX).ok_or_else(|| {
            if self.control.stopped() {
                return EngineError::Interrupted;
            }
            EngineError::LimitReached(format!(
                "more positions can be reached from {} than the limits allow; raise --memory or --seconds",
                self.game.position_text(position)
            ))
        })
    }

    fn facts(&self, solved: &Solved<G::Rules>) -> Facts {
        let stuck = solved.iter().filter(|(position, _)| {
            self.game.over(position).is_some_and(|over| over.reason == Reason::Stuck)
        });
        let mut facts = vec![
            ("positions".to_owned(), solved.states().to_string()),
            ("wins".to_owned(), solved.count(Value::Win).to_string()),
            ("draws".to_owned(), solved.count(Value::Draw).to_string()),
            ("losses".to_owned(), solved.count(Value::Loss).to_string()),
            ("stuck".to_owned(), stuck.count().to_string()),
            ("value".to_owned(), solved.root().value().name().to_owned()),
        ];
        if let Some(plies) = solved.root().plies() {
            facts.push(("plies".to_owned(), plies.to_string()));
        }
        if let Some((longest, plies)) = solved.longest_win() {
            facts.push((
                "longest win".to_owned(),
                format!("{plies} plies: {}", self.game.position_text(&longest)),
            ));
        }
        facts
    }
}

/// The findings as a reader sees them.
fn report<G: Tabled>(board: String, facts: Facts, findings: Vec<Finding>) -> ClaimsReport {
    let claim = |finding: Finding| Claim {
        claim: finding.claim.words().to_owned(),
        holds: finding.holds,
        evidence: finding.evidence,
    };
    let claims = findings.into_iter().map(claim).collect();
    ClaimsReport { game: G::ID.name().to_owned(), board, facts, claims }
}

/// Play ends where another claim says so, though looking for cycles could not decide it.
fn end_of_play(findings: &mut [Finding]) {
    let ends_play = |finding: &&Finding| matches!(finding.claim, ClaimId::OfDesigner { ends_play: true, .. });
    let Some(reason) = findings.iter().find(ends_play).cloned() else { return };
    let open = |finding: &&mut Finding| finding.claim == ClaimId::PlayEnds && finding.holds.is_none();
    for finding in findings.iter_mut().filter(open) {
        if reason.holds == Some(true) {
            finding.holds = Some(true);
            finding.evidence = format!("{}: {}", reason.claim.words(), reason.evidence);
        }
    }
}
