//! Searches only one of several positions that are images of each other.
//!
//! The two first positions of a point-symmetric set-up are such a pair: the half turn maps one to the other, with the
//! colours exchanged.

use marquis_core::{Bounds, Hashed, Symmetric};

use crate::settings::{SearchProgress, Unproved};
use crate::solve::{Findings, ProofSearch};
use crate::strategy::{Draft, StrategyEntry};
use crate::{Heuristic, Oracle, SearchLimits, Strategy};

/// An earlier position of which this one is an image: its number, and that of the symmetry.
#[derive(Clone, Copy, Debug)]
struct Twin {
    of: usize,
    image: usize,
}

/// For each position the first earlier one of which it is an image; `None` if there is none.
fn twins<G: Symmetric>(game: &G, positions: &[G::Position]) -> Vec<Option<Twin>> {
    let twin = |number: usize| {
        let before = 0..number;
        let mut pairs = before.flat_map(|of| (0..game.images()).map(move |image| Twin { of, image }));
        pairs.find(|twin| game.image(&positions[twin.of], twin.image) == positions[number])
    };
    (0..positions.len()).map(twin).collect()
}

impl<G: Hashed + Symmetric, O: Oracle<G>, H: Heuristic<G>> ProofSearch<'_, G, O, H> {
    /// As [`solve_all`](Self::solve_all), but searches only one of several positions that are images of each other.
    ///
    /// Its findings and strategies carry over to the others, whose nodes are 0. The image of a strategy is not
    /// replayed here.
    pub fn solve_orbits(
        &self,
        positions: &[G::Position],
        enough: &(dyn Fn(&[Bounds]) -> bool + Sync),
        limits: &SearchLimits<'_>,
        watch: &mut dyn FnMut(&SearchProgress),
    ) -> Vec<Findings<G>> {
        let twins = twins(self.game(), positions);
        let alone: Vec<usize> = (0..positions.len()).filter(|&number| twins[number].is_none()).collect();
        let searched: Vec<G::Position> = alone.iter().map(|&number| positions[number]).collect();
        // The first position of an orbit has no twin, so no twin has a twin.
        let place = |number: usize| {
            let searched = twins[number].map_or(number, |twin| twin.of);
            alone.binary_search(&searched).unwrap_or_default()
        };
        let all =
            |found: &[Bounds]| (0..positions.len()).map(|number| found[place(number)]).collect::<Vec<_>>();
        let found = self.solve_all(&searched, &|found| enough(&all(found)), limits, &mut |progress| {
            watch(&SearchProgress { nodes: progress.nodes, bounds: all(&progress.bounds) });
        });
        let mut found = found.into_iter();
        let mut findings: Vec<Findings<G>> = Vec::new();
        for (position, twin) in positions.iter().zip(twins) {
            let next = match twin {
                Some(Twin { of, image }) => Some(self.image(&positions[of], &findings[of], position, image)),
                None => found.next(),
            };
            findings.extend(next);
        }
        findings
    }

    /// The findings about `root`, transferred to `position`, its image with this number.
    fn image(
        &self,
        root: &G::Position,
        found: &Findings<G>,
        position: &G::Position,
        number: usize,
    ) -> Findings<G> {
        let strategies: Vec<_> =
            found.strategies.iter().map(|strategy| strategy.image(self.game(), number)).collect();
        let moves = self.moves(position, found.bounds, &strategies);
        let exchanged = self.game().turn(position) != self.game().turn(root);
        let unproved = found.unproved.map(|Unproved { winner, bytes, disk }| Unproved {
            winner: winner.map(|winner| if exchanged { winner.opponent() } else { winner }),
            bytes,
            disk,
        });
        let Findings { bounds, ended, after, numbers, .. } = *found;
        let numbers = if exchanged { numbers.swapped() } else { numbers };
        Findings { bounds, ended, nodes: 0, after, strategies, numbers, moves, unproved }
    }
}

impl<G: Symmetric> Strategy<G> {
    /// The same strategy on the images of all its positions.
    ///
    /// * `number`: which [`image`](Symmetric::image).
    #[must_use]
    pub fn image(&self, game: &G, number: usize) -> Self {
        let root = game.image(&self.root, number);
        let exchanged = game.turn(&root) != game.turn(&self.root);
        let holder = if exchanged { self.holder.opponent() } else { self.holder };
        let (mut moves, mut nexts) = (Vec::new(), Vec::new());
        let mut kept_in_image = |position: &G::Position, image: &G::Position, kept: StrategyEntry| {
            let StrategyEntry::Move(kept) = kept else { return kept };
            moves.clear();
            nexts.clear();
            game.moves(position, &mut moves);
            game.moves(image, &mut nexts);
            let after = moves.get(usize::from(kept)).map(|&mv| game.image(&game.play(position, mv), number));
            let found = nexts.iter().position(|&mv| Some(game.play(image, mv)) == after);
            // A symmetry maps moves to moves.
            StrategyEntry::Move(found.map_or(kept, |found| found as u16))
        };
        let mut draft = Draft::new(holder, self.kind, root);
        draft.kept.extend(self.draft(game).kept.iter().map(|(position, &kept)| {
            let image = game.image(position, number);
            (image, kept_in_image(position, &image, kept))
        }));
        draft.write(game)
    }
}
