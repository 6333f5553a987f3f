//! Games whose layers become files: what the layers are called, and how an index is found again by name.

use marquis_core::{Game, Indexed};
use marquis_games::beads::{BeadGame, BeadIndex, BeadLayer, Capture, Leap, Sandwich, Scope, Table};
use marquis_games::catalogue::{GameId, Notation};
use marquis_games::hex::Side;
use marquis_games::unification::{Duel, Material, Stepping, Unification, UnificationIndex};
use marquis_retro::layered::{Layer, solve_bundle_from};
use marquis_retro::{Keeper, Layers, Limits, Progress, Snapshot, Stopped};
use marquis_table::Fingerprint;

use crate::EngineError;

/// Most memory for the numbering of positions.
pub(crate) const MOST_INDEX_BYTES: u64 = 2 << 30;

/// The version of the rules as this program plays them; part of the fingerprint of tables.
pub(crate) const RULES_VERSION: u32 = 1;

/// An index whose layers become files.
pub trait Tabled: Indexed {
    /// The rules that positions are asked about by; several of them may share an index.
    type Rules: Game<Position = Self::Position>;

    /// The game's name: `squish`.
    fn game_name(&self) -> &'static str;

    /// What is fixed for all layers: `side=3`.
    fn variant(&self) -> String;

    /// The version of the numbering; part of the fingerprint of tables.
    fn numbering(&self) -> u32;

    /// The folder of the files: `squish-s3`.
    fn folder(&self) -> String;

    /// The name of a layer, also of its file.
    fn layer_name(&self, layer: Self::Layer) -> String;

    /// The layer of this name.
    fn layer_named(&self, name: &str) -> Option<Self::Layer>;

    /// The text of a position.
    fn text(&self, position: &Self::Position) -> String;

    /// The layer of a position of these rules, and the position of the index that is worth the same; none where
    /// the index has none.
    ///
    /// * `position`: not a finished game.
    fn locate(&self, rules: &Self::Rules, position: &Self::Position)
    -> Option<(Self::Layer, Self::Position)>;

    /// Whether positions of these rules are those that this index is made for, large or small.
    fn same_rules(&self, rules: &Self::Rules, position: &Self::Position) -> bool;

    /// Bytes that the numbering takes.
    fn bytes(&self) -> u64;

    /// The scores of a layer and its peers, in the order of [`peers`](Indexed::peers).
    ///
    /// # Errors
    /// Which of the limits ended the work.
    fn solve(
        &self,
        layer: Self::Layer,
        work: Work<'_, Self::Layer>,
    ) -> Result<Vec<Layer<Self::Layer>>, Stopped>;

    /// Bytes while layers are solved that are solved together, the layers below aside: each cell, and its copy in a
    /// checkpoint.
    fn solving_bytes(&self, layers: &[Self::Layer]) -> u64 {
        2 * layers.iter().map(|&layer| self.slots(layer)).sum::<u64>()
    }
}

/// What solving a layer needs and may do.
pub struct Work<'a, L> {
    /// The layers below, finished.
    pub lower: &'a Layers<L>,
    /// Where it was stopped the last time.
    pub kept: Option<Snapshot<L>>,
    /// Keeps what there is of it.
    pub keeper: &'a dyn Keeper<L>,
    /// When to stop.
    pub limits: &'a Limits<'a>,
    /// Is told how far it is.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// Solves a layer and its peers by un-moves.
macro_rules! solve_by_un_moves {
    () => {
        fn solve(
            &self,
            layer: Self::Layer,
            work: Work<'_, Self::Layer>,
        ) -> Result<Vec<Layer<Self::Layer>>, Stopped> {
            solve_bundle_from(self, layer, work.lower, work.kept, work.keeper, work.limits, work.progress)
        }
    };
}

/// An index that can be made again from the names in a file.
pub(crate) trait Reopen: Tabled + Sized {
    /// Which game.
    const GAME: GameId;

    /// The version of the numbering.
    const NUMBERING: u32;

    /// The index of a variant, large enough for some layers.
    ///
    /// # Errors
    /// Why there is no such variant or it is too large, in words.
    fn reopen(variant: &str, layers: &[&str]) -> Result<Self, String>;
}

impl<R: Stepping> Tabled for UnificationIndex<R>
where
    Unification<R>: Notation<Position = Duel>,
{
    type Rules = Unification<R>;

    fn game_name(&self) -> &'static str {
        R::ID
    }

    fn variant(&self) -> String {
        format!("side={}", self.game().side().get())
    }

    fn numbering(&self) -> u32 {
        Self::VERSION
    }

    fn folder(&self) -> String {
        format!("{}-s{}", R::ID, self.game().side().get())
    }

    fn layer_name(&self, layer: Material) -> String {
        format!("{:02}v{:02}", layer.mover, layer.waiter)
    }

    fn layer_named(&self, name: &str) -> Option<Material> {
        material(name).filter(|layer| layer.mover.max(layer.waiter) <= self.most_pieces())
    }

    fn text(&self, position: &Duel) -> String {
        self.game().position_text(position)
    }

    fn locate(&self, rules: &Unification<R>, position: &Duel) -> Option<(Material, Duel)> {
        let here = rules.side() == self.game().side() && self.covers(position);
        here.then(|| (Self::material(position), *position))
    }

    fn same_rules(&self, rules: &Unification<R>, _: &Duel) -> bool {
        rules.side() == self.game().side()
    }

    fn bytes(&self) -> u64 {
        Self::bytes(self.game().side(), self.most_pieces())
    }

    solve_by_un_moves!();
}

/// The board of a variant such as `side=3`.
pub(crate) fn side_of(variant: &str) -> Option<Side> {
    variant.strip_prefix("side=")?.parse().ok().and_then(Side::new)
}

/// The material of a name such as `03v05`.
pub(crate) fn material(name: &str) -> Option<Material> {
    let (mover, waiter) = name.split_once('v')?;
    Some(Material { mover: mover.parse().ok()?, waiter: waiter.parse().ok()? })
}

/// The index of a game of unification, if it is not too large.
///
/// # Errors
/// The index is too large.
pub(crate) fn unification_index<R: Stepping>(
    side: Side,
    most: u8,
) -> Result<UnificationIndex<R>, EngineError> {
    let needed = UnificationIndex::<R>::bytes(side, most);
    if needed > MOST_INDEX_BYTES {
        let what = format!("numbering up to {most} pieces a side of {} on side {}", R::ID, side.get());
        return Err(EngineError::TooLarge { what, needed, limit: MOST_INDEX_BYTES });
    }
    Ok(UnificationIndex::new(Unification::new(side), most))
}

macro_rules! reopen_unification {
    ($rule:ty, $id:expr) => {
        impl Reopen for UnificationIndex<$rule> {
            const GAME: GameId = $id;
            const NUMBERING: u32 = Self::VERSION;

            fn reopen(variant: &str, layers: &[&str]) -> Result<Self, String> {
                let expected = || format!("expected side=2 to side=5, found {variant}");
                let side = side_of(variant).ok_or_else(expected)?;
                let cells = side.board().count();
                let most = |name: &&str| {
                    let room = |layer: &Material| u32::from(layer.mover) + u32::from(layer.waiter) <= cells;
                    material(name).filter(room).map(|layer| layer.mover.max(layer.waiter))
                };
                let most = layers.iter().filter_map(most).max().unwrap_or(0);
                unification_index(side, most).map_err(|error| error.to_string())
            }
        }
    };
}

reopen_unification!(marquis_games::unification::Approach, GameId::Squish);
reopen_unification!(marquis_games::unification::Flow, GameId::Flowish);

impl<R: Capture> Tabled for BeadIndex<R>
where
    BeadGame<R>: Notation<Position = Table>,
{
    type Rules = BeadGame<R>;

    fn game_name(&self) -> &'static str {
        R::ID
    }

    fn variant(&self) -> String {
        self.scope().to_string()
    }

    fn numbering(&self) -> u32 {
        Self::VERSION
    }

    /// The variant is too long for a name, so a few letters of its hash stand for it.
    fn folder(&self) -> String {
        let hash = Fingerprint::of(&self.variant()).to_string();
        format!("{}-s{}-{}", R::ID, self.scope().side().get(), &hash[..8])
    }

    fn layer_name(&self, layer: BeadLayer) -> String {
        layer.name()
    }

    fn layer_named(&self, name: &str) -> Option<BeadLayer> {
        BeadLayer::named(name).filter(|&layer| self.layers().any(|own| own == layer))
    }

    fn text(&self, position: &Table) -> String {
        self.game().position_text(position)
    }

    fn locate(&self, rules: &BeadGame<R>, position: &Table) -> Option<(BeadLayer, Table)> {
        let table = self.translated(rules, position)?;
        Some((self.layer(&table), table))
    }

    fn same_rules(&self, rules: &BeadGame<R>, position: &Table) -> bool {
        self.translated(rules, position).is_some()
    }

    fn bytes(&self) -> u64 {
        Self::bytes(self.scope())
    }

    solve_by_un_moves!();
}

/// The index of a set-up's tables, if it is not too large.
///
/// # Errors
/// The index is too large.
pub(crate) fn bead_index<R: Capture>(scope: Scope) -> Result<BeadIndex<R>, EngineError> {
    let needed = BeadIndex::<R>::bytes(&scope);
    if needed > MOST_INDEX_BYTES {
        let what = format!("numbering {} {scope}", R::ID);
        return Err(EngineError::TooLarge { what, needed, limit: MOST_INDEX_BYTES });
    }
    Ok(BeadIndex::new(scope))
}

macro_rules! reopen_beads {
    ($rule:ty, $id:expr) => {
        impl Reopen for BeadIndex<$rule> {
            const GAME: GameId = $id;
            const NUMBERING: u32 = Self::VERSION;

            fn reopen(variant: &str, _: &[&str]) -> Result<Self, String> {
                let scope = variant.parse::<Scope>().map_err(|error| error.to_string())?;
                bead_index(scope).map_err(|error| error.to_string())
            }
        }
    };
}

reopen_beads!(Leap, GameId::Swish);
reopen_beads!(Sandwich, GameId::Squeeze);

/// Evaluates an expression for the index type of a game that has tables, or another for the others.
macro_rules! for_tables {
    ($game:expr, |$index:ident| $tabled:expr, |$other:ident| $else:expr) => {
        match $game {
            marquis_games::catalogue::GameId::Squish => {
                type $index =
                    marquis_games::unification::UnificationIndex<marquis_games::unification::Approach>;
                $tabled
            }
            marquis_games::catalogue::GameId::Flowish => {
                type $index = marquis_games::unification::UnificationIndex<marquis_games::unification::Flow>;
                $tabled
            }
            marquis_games::catalogue::GameId::Swish => {
                type $index = marquis_games::beads::BeadIndex<marquis_games::beads::Leap>;
                $tabled
            }
            marquis_games::catalogue::GameId::Squeeze => {
                type $index = marquis_games::beads::BeadIndex<marquis_games::beads::Sandwich>;
                $tabled
            }
            marquis_games::catalogue::GameId::Squinch => {
                type $index = marquis_games::squinch::SquinchIndex;
                $tabled
            }
            $other => $else,
        }
    };
}

pub(crate) use for_tables;
