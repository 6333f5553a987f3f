//! What is known without a search: tables and proof files, as the search's oracle and as answers.

use std::sync::Arc;

use marquis_core::{Bounds, Game, Player, Score, Value};
use marquis_games::beads::BeadGame;
use marquis_games::catalogue::Playable;
use marquis_games::{Flowish, Squeeze, Squinch, Squish, Swish};
use marquis_proof::{Explorer, Heuristic, Numbers, Oracle, Question};

use crate::EngineError;
use crate::facade::Engine;
use crate::tables::{Tables, look_up};

/// A game that the engine can answer about: where its tables and proofs are.
pub(crate) trait Solvable: Playable + PartialEq + 'static {
    /// The score of a position that is not over, if a table holds it.
    fn table_score(&self, tables: &Tables, position: &Self::Position) -> Result<Option<Score>, EngineError>;

    /// The score of a position whose kind is solved without tables or a search of both sides; nothing where it is of
    /// no such kind, or where it takes more effort.
    ///
    /// * `effort`: placements that may be looked at; what is left of it afterwards.
    fn direct_score(&self, position: &Self::Position, effort: &mut u32) -> Option<Score> {
        let _ = (position, effort);
        None
    }

    /// The work that a proof of a win by `player` looks like; nothing where nobody can say.
    fn work(&self, position: &Self::Position, player: Player) -> Option<u32> {
        let _ = (position, player);
        None
    }

    /// Whether the player to move certainly wins with this very move.
    fn wins_at_once(&self, position: &Self::Position) -> bool {
        let _ = position;
        false
    }

    /// Whether a move may lead to a position in which the opponent [`wins_at_once`](Self::wins_at_once).
    fn may_lose_next(&self, position: &Self::Position) -> bool {
        let _ = position;
        true
    }

    /// Whether far more positions can be reached from this one than anybody would solve one by one.
    fn is_vast(&self, position: &Self::Position) -> bool {
        let _ = position;
        false
    }

    /// The loaded proofs of this game.
    fn proofs(proofs: &Proofs) -> &[Proof<Self>];

    /// Takes a loaded proof in.
    fn add_proof(self, explorer: Explorer<Self>, weight: u64, proofs: &mut Proofs);
}

/// A proof and the variant of the game that it is about; cheap to clone.
#[derive(Debug)]
pub(crate) struct Proof<G: Game> {
    game: G,
    explorer: Arc<Explorer<G>>,
    /// Counts up with every proof that is taken in.
    number: u64,
    /// About the bytes that it takes.
    weight: u64,
}

impl<G: Game> Clone for Proof<G> {
    fn clone(&self) -> Self {
        Self { game: self.game.clone(), explorer: Arc::clone(&self.explorer), ..*self }
    }
}

/// The loaded proofs of every game; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proofs {
    next: u64,
    squish: Vec<Proof<Squish>>,
    flowish: Vec<Proof<Flowish>>,
    swish: Vec<Proof<Swish>>,
    squeeze: Vec<Proof<Squeeze>>,
    squinch: Vec<Proof<Squinch>>,
}

impl Proofs {
    /// Lets go of the oldest until the rest takes no more than so many bytes.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        let mut all = Vec::new();
        let Self { squish, flowish, swish, squeeze, squinch, .. } = self;
        note(squish, &mut all);
        note(flowish, &mut all);
        note(swish, &mut all);
        note(squeeze, &mut all);
        note(squinch, &mut all);
        all.sort_unstable_by(|a, b| b.cmp(a));
        let mut left = bytes;
        let fits =
            |&&(_, weight): &&(u64, u64)| left.checked_sub(weight).inspect(|&rest| left = rest).is_some();
        let Some(&(oldest, _)) = all.iter().take_while(fits).last() else {
            *self = Self { next: self.next, ..Self::default() };
            return;
        };
        squish.retain(|proof| proof.number >= oldest);
        flowish.retain(|proof| proof.number >= oldest);
        swish.retain(|proof| proof.number >= oldest);
        squeeze.retain(|proof| proof.number >= oldest);
        squinch.retain(|proof| proof.number >= oldest);
    }
}

fn note<G: Game>(proofs: &[Proof<G>], all: &mut Vec<(u64, u64)>) {
    all.extend(proofs.iter().map(|proof| (proof.number, proof.weight)));
}

macro_rules! solvable {
    (
        $game:ty,
        $field:ident,
        |$self:ident, $tables:ident, $position:ident| $score:expr
$(, direct: |$direct:ident, $within:ident| $race:expr)?
        $(
            , work: |$of:ident, $player:ident| $work:expr
            , wins_at_once: |$before:ident| $wins:expr
            , may_lose_next: |$quiet:ident| $may:expr
            , vast: |$root:ident| $vast:expr
        )?
    ) => {
        impl Solvable for $game {
            fn table_score(
                &$self,
                $tables: &Tables,
                $position: &Self::Position,
            ) -> Result<Option<Score>, EngineError> {
                $score
            }

            $(
                fn direct_score(&$self, $direct: &Self::Position, $within: &mut u32) -> Option<Score> {
                    $race
                }
            )?

            $(
                fn work(&$self, $of: &Self::Position, $player: Player) -> Option<u32> {
                    Some($work)
                }

                fn wins_at_once(&$self, $before: &Self::Position) -> bool {
                    $wins
                }

                fn may_lose_next(&$self, $quiet: &Self::Position) -> bool {
                    $may
                }

                fn is_vast(&$self, $root: &Self::Position) -> bool {
                    $vast
                }
            )?

            fn proofs(proofs: &Proofs) -> &[Proof<Self>] {
                &proofs.$field
            }

            fn add_proof(self, explorer: Explorer<Self>, weight: u64, proofs: &mut Proofs) {
                let (explorer, number) = (Arc::new(explorer), proofs.next);
                proofs.next += 1;
                proofs.$field.push(Proof { game: self, explorer, number, weight });
            }
        }
    };
}

solvable!(Squish, squish, |self, tables, position| look_up(&tables.squish, self, position));
solvable!(Flowish, flowish, |self, tables, position| look_up(&tables.flowish, self, position));
solvable!(
    Swish,
    swish,
    |self, tables, position| look_up(&tables.swish, self, position),
    work: |position, player| BeadGame::work(self, position, player),
    wins_at_once: |position| BeadGame::wins_at_once(self, position),
    may_lose_next: |position| BeadGame::may_lose_next(self, position),
    vast: |position| BeadGame::is_vast(self, position, VAST)
);
solvable!(
    Squeeze,
    squeeze,
    |self, tables, position| look_up(&tables.squeeze, self, position),
    work: |position, player| BeadGame::work(self, position, player),
    wins_at_once: |position| BeadGame::wins_at_once(self, position),
    may_lose_next: |position| BeadGame::may_lose_next(self, position),
    vast: |position| BeadGame::is_vast(self, position, VAST)
);
solvable!(
    Squinch,
    squinch,
    |self, tables, position| look_up(&tables.squinch, self, position),
    direct: |position, effort| self.race(position, effort)
);

/// Far more states than the exhaustive solver takes: not worth the time to find out.
const VAST: f64 = 1e8;

/// The effort for a direct score in the middle of a search: some tens of microseconds, enough for two in three races
/// of up to 16 checkers a side.
const SEARCH_EFFORT: u32 = 64;

/// Whether a search may rest on direct scores, which whoever checks its proof does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direct {
    Allowed,
    Forbidden,
}

/// Tables and proofs of one game.
pub(crate) struct Knowledge<'a, G> {
    game: &'a G,
    direct: Direct,
    tables: Arc<Tables>,
    proofs: Arc<Proofs>,
}

impl Engine {
    /// What the engine knows about a game.
    pub(crate) fn knowledge<'a, G: Solvable>(&'a self, game: &'a G) -> Knowledge<'a, G> {
        Knowledge { game, direct: Direct::Allowed, tables: self.loaded(), proofs: self.proofs() }
    }
}

impl<G: Solvable> Knowledge<'_, G> {
    /// The same without direct scores, for a proof that is to be checked by the rules.
    pub(crate) fn for_proof(self) -> Self {
        Self { direct: Direct::Forbidden, ..self }
    }

    /// The score that a table gives to a position that is not over.
    pub(crate) fn table_score(&self, position: &G::Position) -> Result<Option<Score>, EngineError> {
        self.game.table_score(&self.tables, position)
    }

    /// What the loaded proof files say about a position.
    pub(crate) fn proved_bounds(&self, position: &G::Position) -> Option<Bounds> {
        let about = G::proofs(&self.proofs).iter().filter(|proof| proof.game == *self.game);
        about.filter_map(|proof| proof.explorer.bounds(position)).reduce(Bounds::and)
    }
}

impl<G: Solvable> Oracle<G> for Knowledge<'_, G> {
    /// A table that cannot be read is silent here; asking it directly reports the fault.
    fn value(&self, position: &G::Position) -> Option<Value> {
        let table = self.table_score(position).ok().flatten();
        let direct = || match self.direct {
            Direct::Allowed => {
                let mut effort = SEARCH_EFFORT;
                self.game.direct_score(position, &mut effort)
            }
            Direct::Forbidden => None,
        };
        table.or_else(direct).map(Score::value)
    }
}

impl<G: Game + Solvable> Heuristic<G> for Knowledge<'_, G> {
    fn numbers(&self, position: &G::Position, question: Question) -> Numbers {
        let work = self.game.work(position, question.prover);
        work.map_or(Numbers::UNIT, |work| Numbers { proof: work, disproof: 1 })
    }

    fn wins_at_once(&self, position: &G::Position) -> bool {
        self.game.wins_at_once(position)
    }

    fn may_lose_next(&self, position: &G::Position) -> bool {
        self.game.may_lose_next(position)
    }
}
