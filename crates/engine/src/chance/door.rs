//! Games with throws behind the common interface of all games.

use std::sync::Arc;

use marquis_core::{
    ByPlayer, Chance as _, ChanceNotation as _, Immobile, Over, Player, TextError, Throw, Wish,
};
use marquis_table::{Fingerprint, SlotFacts, TableFile};

use super::answer::decided;
use super::estimate::Forecaster;
use super::layers::Chances;
use super::tables::ChanceTables;
use crate::adapter::{Adapter, Position, Provable};
use crate::ask::review::Appraisal;
use crate::build::inspection::Inspection;
use crate::build::prepared::{PreparedBuild, Site};
use crate::build::run::Build;
use crate::error::Unsuited;
use crate::files::layer::fingerprint;
use crate::game::about::{About, start_size};
use crate::game::chance::ChanceGame;
use crate::knowledge::asking::Asking;
use crate::knowledge::book::Booked;
use crate::knowledge::chances::KnownChances;
use crate::knowledge::known::Known;
use crate::knowledge::tables::Shelved;
use crate::query::{BuildQuery, Detail, Opponent, WrittenLayers};
use crate::results::ChanceSolution;
use crate::{EngineError, Limits};
use marquis_wire::answer::{Advice, Answer};
use marquis_wire::book::BookEntry;
use marquis_wire::reports::{Drawing, ListedMove};

/// The interface of a game with throws.
///
/// Its judge estimates chances that are not known.
pub(crate) struct Throwing<G: ChanceGame>(pub(crate) Option<Forecaster<G>>);

impl<G: ChanceGame> Adapter for Throwing<G> {
    fn about(&self) -> About {
        G::about()
    }

    fn letters(&self) -> ByPlayer<char> {
        G::LETTERS
    }

    fn has_throws(&self) -> bool {
        true
    }

    fn starter(&self) -> Option<BuildQuery> {
        G::starter()
    }

    fn throw(&self, score: u8) -> Result<Throw, EngineError> {
        let (rules, _) = G::start(None)?;
        Ok(rules.parse_throw(&score.to_string())?)
    }

    fn read(&self, text: &str, _: Immobile) -> Result<Arc<dyn Position>, TextError> {
        let (rules, position) = match start_size(text) {
            Some(size) => G::start(size)?,
            None => G::parse(text.trim())?,
        };
        Ok(Arc::new(ChancePosition::<G> { rules, position, judge: self.0.clone() }))
    }

    fn fingerprint(&self, variant: &str) -> Fingerprint {
        fingerprint(G::ID, variant, G::NUMBERING)
    }

    fn hints(&self, _: &str, _: &str) -> Option<SlotFacts> {
        None
    }

    fn book(&self, entries: &[Arc<BookEntry>], left_out: &mut Vec<String>) -> Booked {
        let (results, problems) = KnownChances::<G>::of(entries);
        left_out.extend(problems);
        Arc::new(results)
    }

    fn shelve(&self, files: Vec<Arc<TableFile>>, problems: &mut Vec<EngineError>) -> Shelved {
        Arc::new(ChanceTables::<G>::of(files, problems))
    }

    fn prepare<'a>(
        &self,
        query: &BuildQuery,
        site: Site<'a>,
    ) -> Result<Box<dyn PreparedBuild + 'a>, EngineError> {
        if query.extent == WrittenLayers::Half {
            return Err(Unsuited::Half(G::ID).into());
        }
        let (rules, wanted) = G::wanted(query)?;
        Ok(Box::new(Build::new(Chances::<G> { rules, cells: query.chances }, wanted, site)))
    }

    fn verify(&self, inspection: &mut Inspection<'_>) -> Result<(), EngineError> {
        inspection.game::<Chances<G>>()
    }
}

/// A position and its rules.
struct ChancePosition<G: ChanceGame> {
    rules: G::Rules,
    position: G::Position,
    judge: Option<Forecaster<G>>,
}

impl<G: ChanceGame> std::fmt::Debug for ChancePosition<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", G::ID, self.text())
    }
}

impl<G: ChanceGame> ChancePosition<G> {
    /// Completes a solution that leaves the chance open, by the book and the judge.
    fn completed(
        &self,
        solution: ChanceSolution<G>,
        known: &Known,
        throw: Option<Throw>,
        limits: &Limits,
    ) -> Result<ChanceSolution<G>, EngineError> {
        if solution.over.is_some() || decided(&solution) {
            return Ok(solution);
        }
        match self.judge.as_deref() {
            Some(judge) => known.estimated_chance::<G>(&self.rules, &self.position, throw, judge, limits),
            None => Ok(self.booked(solution, known, throw)),
        }
    }

    /// Completes a solution that leaves the chance open, by the book.
    fn booked(&self, solution: ChanceSolution<G>, known: &Known, throw: Option<Throw>) -> ChanceSolution<G> {
        // The book only has chances before a throw.
        let known = known.booked_chance::<G>(&self.rules, &self.position).filter(|_| throw.is_none());
        match known {
            Some(known) => solution.by_book(&self.rules, &known),
            None => solution,
        }
    }

    /// The known chance of the position, or else an estimate.
    fn solution(
        &self,
        Asking { known, limits, control }: Asking<'_>,
        throw: Option<Throw>,
    ) -> Result<ChanceSolution<G>, EngineError> {
        let (rules, position) = (&self.rules, &self.position);
        let solution = known.solve_chance::<G>(rules, position, throw, limits, control)?;
        self.completed(solution, known, throw, limits)
    }

    /// The legal moves for one throw, or for each; none if the game is over.
    fn legal(&self, throw: Option<Throw>) -> Vec<(Throw, G::Move)> {
        if self.rules.over(&self.position).is_some() {
            return Vec::new();
        }
        let asked = self.rules.throws().iter().copied().filter(|&t| throw.is_none_or(|asked| asked == t));
        let with_moves = |throw: Throw| {
            let mut moves = Vec::new();
            self.rules.moves(&self.position, throw, &mut moves);
            moves.into_iter().map(move |mv| (throw, mv))
        };
        asked.flat_map(with_moves).collect()
    }

    /// The position after a legal move.
    fn played(&self, throw: Throw, mv: G::Move) -> Arc<dyn Position> {
        let position = self.rules.play(&self.position, throw, mv);
        Arc::new(Self { rules: self.rules.clone(), position, judge: self.judge.clone() })
    }
}

impl<G: ChanceGame> Position for ChancePosition<G> {
    fn text(&self) -> String {
        self.rules.position_text(&self.position)
    }

    /// The position itself, not one for both colours: answers name the player to throw.
    fn normal(&self) -> String {
        self.text()
    }

    fn images(&self) -> Vec<String> {
        vec![self.text(), self.rules.position_text(&self.rules.swapped(&self.position))]
    }

    fn cells(&self) -> Vec<Vec<String>> {
        G::cells(&self.rules)
    }

    fn turn(&self) -> Player {
        self.rules.turn(&self.position)
    }

    fn over(&self) -> Option<Over> {
        self.rules.over(&self.position)
    }

    fn has_throws(&self) -> bool {
        true
    }

    fn play(&self, text: &str) -> Result<Arc<dyn Position>, TextError> {
        let parts = text.split_once(':');
        let (throw, mv) =
            parts.ok_or_else(|| TextError::new("move", "THROW:MOVE, such as `4:24-28`", text))?;
        let throw = self.rules.parse_throw(throw)?;
        let mv = self.rules.parse_move(&self.position, throw, mv)?;
        Ok(self.played(throw, mv))
    }

    fn play_any(&self, pick: &mut dyn FnMut(usize) -> usize) -> Option<Arc<dyn Position>> {
        let moves = self.legal(None);
        if moves.is_empty() {
            return None;
        }
        let (throw, mv) = moves[pick(moves.len())];
        Some(self.played(throw, mv))
    }

    fn draw(&self) -> Drawing {
        let (rows, mut notes) = G::draw(&self.rules, &self.position);
        let turn = self.turn();
        notes.insert(0, format!("{} ({}) to throw", G::about().colours[turn], G::LETTERS[turn]));
        Drawing { rows, notes }
    }

    fn moves(&self, throw: Option<Throw>) -> Vec<ListedMove> {
        let list = |(throw, mv): (Throw, G::Move)| ListedMove {
            throw: Some(throw.score),
            mv: self.rules.move_text(&self.position, mv),
            position: self.rules.position_text(&self.rules.play(&self.position, throw, mv)),
        };
        self.legal(throw).into_iter().map(list).collect()
    }

    fn why_not(&self, wish: Wish<'_>, throw: Option<Throw>) -> Result<Option<String>, TextError> {
        self.rules.why_not(&self.position, throw, wish)
    }

    fn solve(&self, asking: Asking<'_>, throw: Option<Throw>) -> Result<Answer, EngineError> {
        Ok(Answer::Chance(self.solution(asking, throw)?.response(&self.rules)))
    }

    fn advise(
        &self,
        asking: Asking<'_>,
        throw: Option<Throw>,
        opponent: Opponent,
    ) -> Result<Advice, EngineError> {
        let asked = (&self.rules, &self.position);
        let judge = self.judge.as_deref();
        let (chosen, solution) =
            asking.known.chance_advice::<G>(asked, throw, judge, opponent, asking.limits, asking.control)?;
        Ok(Advice {
            throw: throw.map(|throw| throw.score),
            mv: self.rules.move_text(&self.position, chosen.mv),
            position: self.rules.position_text(&chosen.after),
            over: self.rules.over(&chosen.after).map(|over| over.reason.name().to_owned()),
            answer: Answer::Chance(solution.response(&self.rules)),
        })
    }

    /// Moves are estimated by a search of one throw, which takes no longer than table look-ups.
    fn probe(&self, asking: Asking<'_>, throw: Option<Throw>, detail: Detail) -> Result<Answer, EngineError> {
        let solution = asking.known.probe_chance::<G>(&self.rules, &self.position, throw, detail)?;
        let mut solution = match detail {
            Detail::Known if solution.over.is_none() && !decided(&solution) => {
                self.booked(solution, asking.known, throw)
            }
            _ => self.completed(solution, asking.known, throw, &Limits::default())?,
        };
        if detail != Detail::Moves {
            solution.throws.iter_mut().for_each(|thrown| thrown.choices.clear());
        }
        Ok(Answer::Chance(solution.response(&self.rules)))
    }

    fn appraise(&self, asking: Asking<'_>, thrown: Option<u8>) -> Result<Appraisal, EngineError> {
        // All throws, so that each one is compared with the others of the same search.
        let solution = self.solution(asking, None)?;
        Ok(Appraisal::Chance(solution.appraised(&self.rules, thrown)))
    }

    fn provable(&self) -> Option<&dyn Provable> {
        None
    }
}
