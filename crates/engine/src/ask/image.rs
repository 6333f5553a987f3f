//! One search for all images of a position: it runs on the canonical image, and the result is mapped back.

use marquis_core::{Bounds, Game as _, Player, Symmetric as _};
use marquis_proof::{Findings, MoveFinding};

use crate::ask::solve::Solver;
use crate::game::exact::ExactGame;
use crate::game::judge::{JudgedMove, Judgement};

impl<G: ExactGame> Solver<'_, G> {
    /// Maps the findings of a search about an image back to `here`; moves to images of one position are alike.
    pub(crate) fn findings_from(
        &self,
        here: &G::Position,
        (there, mut found): (&G::Position, Findings<G::Rules>),
    ) -> Findings<G::Rules> {
        let known: Vec<_> =
            found.moves.iter().map(|own| (self.image_after(there, own.mv), own.bounds)).collect();
        let like = |(mv, after): (G::Move, G::Position)| {
            let same = known.iter().filter(|(own, _)| *own == after).map(|&(_, bounds)| bounds);
            same.reduce(Bounds::and).map(|bounds| MoveFinding { mv, bounds })
        };
        found.moves = self.images_after(here).into_iter().filter_map(like).collect();
        if self.game.turn(here) != self.game.turn(there) {
            found.unproved = found.unproved.map(|mut own| {
                own.winner = own.winner.map(Player::opponent);
                own
            });
        }
        found
    }

    /// Maps a judgement of an image back to `here`.
    pub(crate) fn judgement_from(
        &self,
        here: &G::Position,
        (there, judgement): (&G::Position, Judgement<G::Move>),
    ) -> Judgement<G::Move> {
        if here == there {
            return judgement;
        }
        let mut left = self.images_after(here);
        let mut moves = judgement.moves;
        for own in &mut moves {
            let wanted = self.image_after(there, own.mv);
            let place = left.iter().position(|(_, after)| *after == wanted);
            // Images have the same number of moves of each kind.
            if let Some(place) = place {
                own.mv = left.remove(place).0;
            }
        }
        let line = self.line_from(here, there, &judgement.line);
        Judgement { moves, line, ..judgement }
    }

    /// Gives moves to images of one position the same estimate, next to each other: that of the best one, or of a
    /// proved one.
    pub(crate) fn with_images_alike(
        &self,
        position: &G::Position,
        judgement: Judgement<G::Move>,
    ) -> Judgement<G::Move> {
        let afters: Vec<_> = judgement.moves.iter().map(|own| self.image_after(position, own.mv)).collect();
        let judged = |number: &usize| judgement.moves[*number].proved.is_some();
        let model = |after: &G::Position| {
            let mut same = (0..afters.len()).filter(|&number| afters[number] == *after);
            let best = same.next().expect("the move itself");
            // The first move was searched deepest.
            if best == 0 || judged(&best) { best } else { same.find(judged).unwrap_or(best) }
        };
        let mut moves: Vec<_> = judgement
            .moves
            .iter()
            .zip(&afters)
            .map(|(own, after)| (model(after), own.mv))
            .map(|(model, mv)| (model, JudgedMove { mv, ..judgement.moves[model] }))
            .collect();
        moves.sort_by_key(|(model, _)| *model);
        Judgement { moves: moves.into_iter().map(|(_, own)| own).collect(), ..judgement }
    }

    /// The canonical image of the position after a move.
    fn image_after(&self, position: &G::Position, mv: G::Move) -> G::Position {
        self.game.canonical(&self.game.play(position, mv))
    }

    /// The moves of a position, each with the canonical image of the position after it.
    fn images_after(&self, position: &G::Position) -> Vec<(G::Move, G::Position)> {
        let moves = self.children(position).into_iter();
        moves.map(|(mv, after)| (mv, self.game.canonical(&after))).collect()
    }

    /// Maps the line of an image back to `here`.
    fn line_from(&self, here: &G::Position, there: &G::Position, line: &[G::Move]) -> Vec<G::Move> {
        let (mut here, mut there) = (*here, *there);
        let mut step = |&mv: &G::Move| {
            there = self.game.play(&there, mv);
            let wanted = self.game.canonical(&there);
            let moves = self.children(&here).into_iter();
            let (mv, after) = moves.into_iter().find(|(_, after)| self.game.canonical(after) == wanted)?;
            here = after;
            Some(mv)
        };
        line.iter().map_while(&mut step).collect()
    }
}
