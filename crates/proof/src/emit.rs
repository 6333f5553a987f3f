//! Reads a strategy off a graph in which the root is decided.

use marquis_core::{Game, Hashed};

use crate::graph::{Graph, MetNumber, State};
use crate::knowledge::{LeafReason, World};
use crate::limits::NodeMeter;
use crate::strategy::{ASK_EVERY, Guarantee, Strategy, Writer};
use crate::{Ended, Heuristic, Oracle, Question};

/// The prover's strategy from a won position: the marked move at the prover's turns, all moves at the defender's.
pub(crate) fn emit_win<G: Hashed, O: Oracle<G>, H: Heuristic<G>>(
    world: World<'_, G, O, H>,
    question: Question,
    graph: &Graph<'_, G::Position>,
    root: MetNumber,
    meter: &mut NodeMeter<'_>,
) -> Result<Strategy<G>, Ended> {
    let reading = Reading { game: world.game, question, kind: Guarantee::Win, graph };
    reading.strategy(root, meter, |id, _, _| {
        Ok(match graph.state(id)? {
            State::Won(number) => Some(number),
            _ => None,
        })
    })
}

/// The defender's strategy from a position that is not won, in a graph with no moves left to try.
///
/// Uses the move kept for the defender if it is still valid, else the first valid one.
pub(crate) fn emit_safe<G: Hashed, O: Oracle<G>, H: Heuristic<G>>(
    world: World<'_, G, O, H>,
    question: Question,
    graph: &Graph<'_, G::Position>,
    root: MetNumber,
    meter: &mut NodeMeter<'_>,
) -> Result<Strategy<G>, Ended> {
    let reading = Reading { game: world.game, question, kind: Guarantee::NeverLose, graph };
    reading.strategy(root, meter, |id, position, moves| {
        let stands = |number: usize| {
            let next = moves.get(number).map(|&mv| world.game.play(position, mv));
            let next = next.map(|next| graph.find(&next)).transpose()?.flatten();
            let state = next.map(|next| graph.state(next)).transpose()?;
            Ok::<_, Ended>(state.is_some_and(|state| !state.is_won() && state != State::Unseen))
        };
        let chosen = usize::from(graph.kept(id)?);
        for number in std::iter::once(chosen).chain(0..moves.len()) {
            if stands(number)? {
                return Ok(Some(number as u16));
            }
        }
        Ok(None)
    })
}

/// A graph being read.
struct Reading<'a, 'r, G: Game> {
    game: &'a G,
    question: Question,
    kind: Guarantee,
    graph: &'a Graph<'r, G::Position>,
}

impl<G: Game> Reading<'_, '_, G> {
    /// The strategy; `number` supplies the holder's moves.
    fn strategy(
        &self,
        root: MetNumber,
        meter: &mut NodeMeter<'_>,
        number: impl Fn(MetNumber, &G::Position, &[G::Move]) -> Result<Option<u16>, Ended>,
    ) -> Result<Strategy<G>, Ended> {
        let position = self.graph.position(root)?;
        // Marks cost a byte per position, so the first attempt does without them.
        let written = match self.written(root, meter, &number, false)? {
            Some(writer) => Some(writer),
            None => self.written(root, meter, &number, true)?,
        };
        written.map(|writer| writer.finish(position)).ok_or(Ended::Memory)
    }

    /// The positions of the strategy in the order of its bytes; `None` if one of them needs a mark.
    fn written(
        &self,
        root: MetNumber,
        meter: &mut NodeMeter<'_>,
        number: &impl Fn(MetNumber, &G::Position, &[G::Move]) -> Result<Option<u16>, Ended>,
        marks: bool,
    ) -> Result<Option<Writer>, Ended> {
        let prover = self.question.prover;
        let holder = if self.kind == Guarantee::Win { prover } else { prover.opponent() };
        let mut writer = Writer::new::<G>(holder, self.kind, marks);
        let mut seen = vec![0_u64; self.graph.len().div_ceil(64)];
        let (mut stack, mut moves, mut steps) = (vec![root], Vec::new(), 0_usize);
        while let Some(id) = stack.pop() {
            steps += 1;
            if steps.is_multiple_of(ASK_EVERY) {
                meter.check()?;
            }
            let (word, bit) = (id as usize / 64, 1 << (id % 64));
            if seen[word] & bit != 0 {
                continue;
            }
            seen[word] |= bit;
            match self.graph.ground(id)? {
                Some(LeafReason::Over) => continue,
                Some(LeafReason::Table) if !marks => return Ok(None),
                Some(LeafReason::Table) => {
                    writer.end_on_table();
                    continue;
                }
                None => writer.go_on(),
            }
            let position = self.graph.position(id)?;
            moves.clear();
            self.game.moves(&position, &mut moves);
            let nexts = if self.game.turn(&position) == holder {
                // Positions missing from the graph are left out; the checker then refuses the strategy.
                let Some(number) = number(id, &position, &moves)? else { continue };
                writer.play(number);
                moves.get(usize::from(number)..=usize::from(number)).unwrap_or_default()
            } else {
                &moves[..]
            };
            for &mv in nexts.iter().rev() {
                stack.extend(self.graph.find(&self.game.play(&position, mv))?);
            }
        }
        Ok(Some(writer))
    }
}
