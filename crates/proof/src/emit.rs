//! Reads a strategy off a graph in which the truth about the root is settled.

use marquis_core::{Game, Hashed};

use crate::graph::{Graph, Id, State};
use crate::knowledge::{Ground, World};
use crate::limits::Meter;
use crate::strategy::{ASK_EVERY, Draft, Kept, Kind, Strategy};
use crate::{Ended, Heuristic, Oracle, Question};

/// The prover's strategy from a won position: the marked move of each of his, all of the defender's.
pub(crate) fn emit_win<G: Hashed, O: Oracle<G>, H: Heuristic<G>>(
    world: World<'_, G, O, H>,
    question: Question,
    graph: &Graph<'_, G::Position>,
    root: Id,
    meter: &mut Meter<'_>,
) -> Result<Strategy<G>, Ended> {
    let mut draft = empty(question, Kind::Win, graph, root);
    collect(world.game, graph, meter, &mut draft, |id, _, _| match graph.state(id) {
        State::Won(number) => Some(number),
        _ => None,
    })?;
    written(world.game, &draft, meter)
}

/// The defender's strategy from a position that is not won, in a graph where nothing is left to try.
///
/// He keeps the move that was chosen for him where it still stands, else the first that does.
pub(crate) fn emit_safe<G: Hashed, O: Oracle<G>, H: Heuristic<G>>(
    world: World<'_, G, O, H>,
    question: Question,
    graph: &Graph<'_, G::Position>,
    root: Id,
    meter: &mut Meter<'_>,
) -> Result<Strategy<G>, Ended> {
    let mut draft = empty(question, Kind::NeverLose, graph, root);
    collect(world.game, graph, meter, &mut draft, |id, position, moves| {
        let stands = |number: &usize| {
            let next = moves.get(*number).map(|&mv| world.game.play(position, mv));
            let next = next.and_then(|next| graph.find(&next));
            next.is_some_and(|next| !graph.is_won(next) && graph.state(next) != State::Unseen)
        };
        let chosen = Some(usize::from(graph.kept(id))).filter(stands);
        chosen.or_else(|| (0..moves.len()).find(stands)).map(|number| number as u16)
    })?;
    written(world.game, &draft, meter)
}

fn written<G: Game>(game: &G, draft: &Draft<G>, meter: &mut Meter<'_>) -> Result<Strategy<G>, Ended> {
    let mut ended = Ended::Stopped;
    let strategy = draft.write_unless(game, || meter.check().inspect_err(|&why| ended = why).is_err());
    strategy.ok_or(ended)
}

fn empty<G: Game>(question: Question, kind: Kind, graph: &Graph<'_, G::Position>, root: Id) -> Draft<G> {
    let holder = if kind == Kind::Win { question.prover } else { question.prover.opponent() };
    Draft::new(holder, kind, graph.position(root))
}

/// Walks the positions of the strategy, asking for the number of the move wherever the holder is to move.
fn collect<G: Game>(
    game: &G,
    graph: &Graph<'_, G::Position>,
    meter: &mut Meter<'_>,
    draft: &mut Draft<G>,
    mut number: impl FnMut(Id, &G::Position, &[G::Move]) -> Option<u16>,
) -> Result<(), Ended> {
    let mut seen = vec![false; graph.len()];
    let mut stack: Vec<Id> = graph.find(&draft.root).into_iter().collect();
    let (mut moves, mut steps) = (Vec::new(), 0_usize);
    while let Some(id) = stack.pop() {
        steps += 1;
        if steps.is_multiple_of(ASK_EVERY) {
            meter.check()?;
        }
        if std::mem::replace(&mut seen[id as usize], true) {
            continue;
        }
        let position = graph.position(id);
        match graph.ground(id) {
            Some(Ground::Over) => continue,
            Some(Ground::Table) => {
                draft.kept.insert(position, Kept::Table);
                continue;
            }
            None => {}
        }
        moves.clear();
        game.moves(&position, &mut moves);
        if game.turn(&position) == draft.holder {
            let Some(number) = number(id, &position, &moves) else { continue };
            draft.kept.insert(position, Kept::Move(number));
            let next = moves.get(usize::from(number)).map(|&mv| game.play(&position, mv));
            stack.extend(next.and_then(|next| graph.find(&next)));
        } else {
            stack.extend(moves.iter().filter_map(|&mv| graph.find(&game.play(&position, mv))));
        }
    }
    Ok(())
}
