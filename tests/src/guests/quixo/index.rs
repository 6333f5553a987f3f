//! Numbers of classes of positions, names of layers, and retractions.
//!
//! The mover's cubes are mapped to the representative of their class; the opponent's cubes follow and are ranked
//! among the remaining cells. If symmetries fix the representative, the smallest image has the number.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use marquis_core::{ByPlayer, Game, Indexed, Player, Reach, Retract, Slot};
use marquis_rank::{Class, SetClasses, SubsetRank, binomial, rank_set_beside, set_beside, unrank_set};

use super::rules::Cubes;
use super::{NAME, Quixo};

/// The version of the numbering.
pub const NUMBERING: u32 = 1;

/// The number of cubes with the sign of the player to move, and of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signs {
    /// Those of the player to move.
    pub mover: u8,
    /// Those of the opponent.
    pub opponent: u8,
}

/// The classes of the mover's cubes, by their number.
fn numbered(game: Quixo) -> Vec<SetClasses> {
    (0..=game.cells()).map(|size| SetClasses::new(&game.board().group, size)).collect()
}

static SETS: [LazyLock<Vec<SetClasses>>; 2] =
    [LazyLock::new(|| numbered(Quixo::THREE)), LazyLock::new(|| numbered(Quixo::FOUR))];

impl Quixo {
    fn sets(self, layer: Signs) -> &'static SetClasses {
        &SETS[usize::from(self == Self::FOUR)][usize::from(layer.mover)]
    }

    fn slots_a_class(self, layer: Signs) -> u64 {
        binomial(self.cells() - u32::from(layer.mover), u32::from(layer.opponent))
    }

    /// All layers, in ascending order.
    #[must_use]
    pub fn layers(self) -> Vec<Signs> {
        let all = 0..=self.cells() as u8;
        let pairs = all.clone().flat_map(|mover| all.clone().map(move |opponent| Signs { mover, opponent }));
        pairs.filter(|&layer| self.has(layer)).collect()
    }

    fn has(self, layer: Signs) -> bool {
        u32::from(layer.mover) + u32::from(layer.opponent) <= self.cells()
    }

    /// The properties that all layers share: `edge=4`.
    #[must_use]
    pub fn variant(self) -> String {
        format!("edge={}", self.edge)
    }

    /// The board of a variant; `None` if the variant does not exist.
    #[must_use]
    pub fn of_variant(variant: &str) -> Option<Self> {
        [Self::THREE, Self::FOUR].into_iter().find(|game| game.variant() == variant)
    }

    /// The folder of the files: `quixo-e4`.
    #[must_use]
    pub fn folder(self) -> String {
        format!("{NAME}-e{}", self.edge)
    }

    /// The name of a layer: `03v02`, the mover's cubes first.
    #[must_use]
    pub fn layer_name(self, layer: Signs) -> String {
        format!("{:02}v{:02}", layer.mover, layer.opponent)
    }

    /// The layer of this name; `None` if the board has no such layer.
    #[must_use]
    pub fn layer_named(self, name: &str) -> Option<Signs> {
        let (mover, opponent) = name.split_once('v')?;
        let layer = Signs { mover: mover.parse().ok()?, opponent: opponent.parse().ok()? };
        (self.has(layer) && self.layer_name(layer) == name).then_some(layer)
    }

    /// The approximate size of the numbering in memory.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        8 << self.cells()
    }

    /// The number of positions, with either player to move, that share the slot of this one.
    #[must_use]
    pub fn sharing(self, position: &Cubes) -> u64 {
        let group = &self.board().group;
        let image = |element| position.signs.map(|set| group.image_of(element, set));
        let same = group.elements().filter(|&element| image(element) == position.signs).count();
        (2 * group.order() / same) as u64
    }
}

impl Indexed for Quixo {
    type Layer = Signs;

    fn slots(&self, layer: Signs) -> u64 {
        u64::from(self.sets(layer).count()) * self.slots_a_class(layer)
    }

    fn slot(&self, position: &Cubes) -> (Signs, Slot) {
        let [mover, opponent] = position.by_mover();
        let layer = Signs { mover: mover.len() as u8, opponent: opponent.len() as u8 };
        let (sets, group) = (self.sets(layer), &self.board().group);
        let (class, element) = sets.find(mover);
        let opponent = sets.smallest_beside(group, class, group.image_of(element, opponent));
        let SubsetRank(rank) = rank_set_beside(opponent, sets.representative(class));
        (layer, Slot(u64::from(class.0) * self.slots_a_class(layer) + rank))
    }

    fn position(&self, layer: Signs, slot: Slot) -> Option<Cubes> {
        let each = self.slots_a_class(layer);
        let class = Class((slot.0 / each) as u32);
        let sets = self.sets(layer);
        let mover = sets.representative(class);
        let opponent = set_beside(unrank_set(SubsetRank(slot.0 % each), u32::from(layer.opponent)), mover);
        let canonical = sets.smallest_beside(&self.board().group, class, opponent) == opponent;
        canonical.then_some(Cubes { signs: ByPlayer::new(mover, opponent), turn: Player::First })
    }

    fn component(&self, layer: Signs) -> Vec<Signs> {
        let mut component = vec![layer, Signs { mover: layer.opponent, opponent: layer.mover }];
        component.sort();
        component.dedup();
        component
    }

    fn child_layers(&self, layer: Signs) -> Vec<Signs> {
        let signed = |layer: Signs| Signs { mover: layer.opponent, opponent: layer.mover + 1 };
        let mut below: Vec<Signs> = self.component(layer).into_iter().map(signed).collect();
        below.retain(|&below| self.has(below));
        below.sort();
        below.dedup();
        below
    }

    fn successors<B>(
        &self,
        position: &Cubes,
        reach: Reach,
        mut visit: impl FnMut(Signs, Slot) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let [own, enemies] = position.by_mover();
        for (number, push) in (0..).zip(&self.board().pushes) {
            let wanted = match reach {
                Reach::All => true,
                Reach::Component => own.contains(push.from),
                Reach::ChildLayers => !own.contains(push.from),
            };
            if wanted && !enemies.contains(push.from) {
                let (layer, slot) = self.slot(&self.play(position, number));
                visit(layer, slot)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Retract for Quixo {
    fn predecessors(&self, position: &Cubes, mut visit: impl FnMut(Signs, Slot, &Cubes)) {
        let mover = position.turn.opponent();
        for push in self.board().pushes.iter().filter(|push| position.signs[mover].contains(push.to)) {
            let mut signs = position.signs.map(|set| push.back(set));
            signs[mover] = signs[mover].with(push.from);
            let before = Cubes { signs, turn: mover };
            let (layer, slot) = self.slot(&before);
            visit(layer, slot, &before);
        }
    }
}
