//! The designers' claims about a game, checked on one board.

mod cycle;
mod tabled;

use marquis_core::{Game as _, Notation as _, Reason, Score, Value};
use marquis_retro::exhaustive::Solved;

use self::cycle::find_cycle;
use self::tabled::ShelfTables;
use crate::EngineError;
use crate::ask::solve::Solver;
use crate::game::claim::{ClaimId, Evidence, Finding, LookedAt, PositionSource};
use crate::game::exact::ExactGame;
use crate::game::shelf::Shelf;
use crate::game::tabled::Tabled;
use crate::query::Among;
use crate::threads::in_pool;
use marquis_wire::reports::{Claim, ClaimsReport, Fact};

/// Names and figures about positions.
pub(crate) type NamedFacts = Vec<(String, Fact)>;

impl<G: ExactGame> Solver<'_, G> {
    /// Facts about the positions that are checked, and the claims that hold among them.
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
        let board = self.game.position_text(position);
        let positions = format!("the {} positions that can be reached from {board}", solved.states());
        let looked_at = &LookedAt { positions, are_all: true };
        let mut findings = vec![
            Finding::among(ClaimId::PlayEnds, looked_at, cycle),
            Finding::among(ClaimId::NoDraw, looked_at, drawn),
        ];
        let evidence = Evidence { looked_at, source: PositionSource::Reachable(&solved) };
        findings.extend(G::claims(self.game, position, evidence, self.control)?);
        Ok(report::<G>(board, self.facts(&solved), findings))
    }

    fn claims_of_tables(&self, position: &G::Position) -> Result<ClaimsReport, EngineError> {
        let shelves = self.knowledge.shelves();
        let about = |shelf: &&Shelf<G>| G::same_rules(shelf.index(), self.game, position);
        let tables = shelves.iter().filter(about).map(|shelf| ShelfTables {
            shelf,
            rules: self.game,
            control: self.control,
        });
        let tables = tables.max_by_key(|tables| (tables.lacks(position).is_none(), tables.positions()));
        let tables = tables.ok_or_else(|| {
            let text = self.game.position_text(position);
            EngineError::LimitReached(format!("no table is about {text}; `marquis generate` builds them"))
        })?;
        let looked_at = &tables.looked_at(position);
        let (facts, mut findings) = tables.report(looked_at)?;
        let evidence = Evidence { looked_at, source: PositionSource::Tables(tables.shelf) };
        findings.extend(G::claims(self.game, position, evidence, self.control)?);
        end_of_play(&mut findings);
        Ok(report::<G>(G::variant(tables.shelf.index()), facts, findings))
    }

    /// All reachable positions, solved.
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

    fn facts(&self, solved: &Solved<G::Rules>) -> NamedFacts {
        let stuck = solved.iter().filter(|(position, _)| {
            self.game.over(position).is_some_and(|over| over.reason == Reason::Stuck)
        });
        let count = |name: &str, number: usize| (name.to_owned(), Fact::count(number as u128));
        let mut facts = vec![
            count("positions", solved.states()),
            count("wins", solved.count(Value::Win)),
            count("draws", solved.count(Value::Draw)),
            count("losses", solved.count(Value::Loss)),
            count("stuck", stuck.count()),
            ("value".to_owned(), Fact::Words(solved.root().value().name().to_owned())),
        ];
        if let Some(plies) = solved.root().plies() {
            facts.push(count("plies", plies.0.into()));
        }
        if let Some((longest, plies)) = solved.longest_win() {
            facts.push((
                "longest win".to_owned(),
                Fact::Words(format!("{plies} plies: {}", self.game.position_text(&longest))),
            ));
        }
        facts
    }
}

/// Converts the findings to a report.
fn report<G: Tabled>(board: String, facts: NamedFacts, findings: Vec<Finding>) -> ClaimsReport {
    let claim = |finding: Finding| Claim {
        claim: finding.claim.words().to_owned(),
        holds: finding.holds,
        evidence: finding.evidence,
    };
    let claims = findings.into_iter().map(claim).collect();
    ClaimsReport { game: G::ID.name().to_owned(), board, facts, claims }
}

/// If another claim implies that play ends, it does, even if the search for cycles could not decide it.
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
