//! The designers' claims about a game, checked on one board.

mod squinch;
mod tabled;

use std::collections::HashMap;

use marquis_core::{Cells, Game, Reason, Score, Value};
use marquis_games::Squinch;
use marquis_games::catalogue::{Asked, GameId, Notation};
use marquis_games::hex::Side;
use marquis_games::squinch::Position;
use marquis_games::unification::{Flow, Stepping};
use marquis_retro::exhaustive::Solved;

use self::squinch::{Claims, PROGRESS};
use self::tabled::TableFacts;
use crate::build::in_pool;
use crate::dispatch::for_game;
use crate::facade::Engine;
use crate::knowledge::Solvable;
use crate::reports::{Claim, ClaimsReport};
use crate::solve::Solver;
use crate::tabled::Tabled;
use crate::tables::Shelf;
use crate::{Control, EngineError, Limits, Progress, Query};

/// Largest side on which every set of pieces is walked through, and the most pieces on the next one.
const WHOLE_SIDE: u8 = 3;
const MOST_PIECES_BEYOND: u32 = 4;

const PLAY_ENDS: &str = "play always ends: no position can be reached from itself";
const NEVER_RETURN: &str = "the moves of one colour never return";

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
    /// Bad input; Senet, which makes no claim; more positions than the limits allow.
    pub fn claims(
        &self,
        query: &ClaimsQuery,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<ClaimsReport, EngineError> {
        let asked = Query::new(query.game, query.position.clone()).asked()?;
        if query.among == Among::Tables {
            return in_pool(limits, || self.claims_of_tables(&asked, control));
        }
        let mut report = for_game!(
            asked,
            |game, position| {
                let knowledge = self.knowledge(&game);
                let solver = Solver { game: &game, knowledge: &knowledge, limits, control };
                solver.facts(&position)?
            },
            senet | _game,
            _position
                | return Err(EngineError::NotForThisGame(
                    "senet's source makes no claim that could be checked".to_owned()
                ))
        );
        match asked {
            Asked::Flowish(game, _) => report.claims.extend(flowish_claims(game.side(), control)?),
            Asked::Squinch(game, position) => {
                report.claims.extend(self.squinch_claims(game, position, limits, control)?);
            }
            _ => {}
        }
        Ok(report)
    }

    fn claims_of_tables(&self, asked: &Asked, control: &Control<'_>) -> Result<ClaimsReport, EngineError> {
        fn report<G: Tabled>(
            shelves: &[Shelf<G>],
            rules: &G::Rules,
            position: &G::Position,
            control: &Control<'_>,
        ) -> Result<ClaimsReport, EngineError>
        where
            G::Rules: Notation<Position = G::Position>,
        {
            let about = |shelf: &&Shelf<G>| shelf.index().same_rules(rules, position);
            let shelf = shelves.iter().find(about).ok_or_else(|| {
                let text = rules.position_text(position);
                EngineError::LimitReached(format!("no table is about {text}; `marquis generate` builds them"))
            })?;
            TableFacts { shelf, rules, control }.report()
        }
        let tables = self.loaded();
        match asked {
            Asked::Squish(game, position) => report(&tables.squish, game, position, control),
            Asked::Flowish(game, position) => {
                let mut report = report(&tables.flowish, game, position, control)?;
                report.claims.extend(flowish_claims(game.side(), control)?);
                ends_since(&mut report.claims, NEVER_RETURN);
                Ok(report)
            }
            Asked::Swish(game, position) => report(&tables.swish, game, position, control),
            Asked::Squeeze(game, position) => report(&tables.squeeze, game, position, control),
            Asked::Squinch(game, position) => {
                let mut report = report(&tables.squinch, game, position, control)?;
                for shelf in tables.squinch.iter().filter(|shelf| shelf.index().same_rules(game, position)) {
                    report.claims.extend(squinch::of_tables(shelf, control)?);
                }
                ends_since(&mut report.claims, PROGRESS);
                Ok(report)
            }
            Asked::Senet(..) => Err(EngineError::NotForThisGame(
                "the claims are about wins, draws and cycles, and tables of senet hold chances; leave --tables out"
                    .to_owned(),
            )),
        }
    }

    fn squinch_claims(
        &self,
        game: Squinch,
        position: Position,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Vec<Claim>, EngineError> {
        let knowledge = self.knowledge(&game);
        let solved = Solver { game: &game, knowledge: &knowledge, limits, control }.everything(&position)?;
        let claims = Claims::new(game);
        let mut moves = Vec::new();
        for (position, _) in solved.iter().filter(|(position, _)| game.over(position).is_none()) {
            claims.look_at(position, &mut moves);
        }
        Ok(claims.verdicts())
    }
}

/// A claim and its counterexample, if there is one.
fn claim(text: &str, counterexample: Option<String>) -> Claim {
    let holds = Some(counterexample.is_none());
    let evidence = counterexample.unwrap_or_else(|| "no counterexample among all positions".to_owned());
    Claim { claim: text.to_owned(), holds, evidence }
}

impl<G: Solvable> Solver<'_, G> {
    /// Everything reachable, solved.
    fn everything(&self, position: &G::Position) -> Result<Solved<G>, EngineError> {
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

    fn facts(&self, position: &G::Position) -> Result<ClaimsReport, EngineError> {
        let solved = self.everything(position)?;
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
        let drawn = solved.iter().find(|(_, score)| *score == Score::Draw);
        let cycle = find_cycle(self.game, &solved, self.control)?;
        let claims = vec![
            claim(PLAY_ENDS, cycle),
            claim("no position is a draw", drawn.map(|(position, _)| self.game.position_text(position))),
        ];
        let (game, board) = (self.game.id().name().to_owned(), self.game.position_text(position));
        Ok(ClaimsReport { game, board, facts, claims })
    }
}

/// Whether a position is on the current path of the walk, or done with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    OnPath,
    Done,
}

/// The moves of a cycle and the position that it begins in; none where there is no cycle.
fn find_cycle<G: Game + Notation + Solvable>(
    game: &G,
    solved: &Solved<G>,
    control: &Control<'_>,
) -> Result<Option<String>, EngineError> {
    let Some((&root, _)) = solved.iter().next() else { return Ok(None) };
    let mut marks: HashMap<G::Position, Mark> = HashMap::with_capacity(solved.states());
    let mut path: Vec<Visited<G>> = vec![(root, legal(game, &root), 0)];
    marks.insert(root, Mark::OnPath);
    while let Some((position, moves, next)) = path.last_mut() {
        let Some(&mv) = moves.get(*next) else {
            marks.insert(*position, Mark::Done);
            path.pop();
            continue;
        };
        *next += 1;
        let child = game.play(position, mv);
        match marks.get(&child) {
            Some(Mark::Done) => {}
            Some(Mark::OnPath) => return Ok(Some(cycle_text(game, &path, &child))),
            None => {
                if marks.len().is_multiple_of(1 << 16) {
                    if control.stopped() {
                        return Err(EngineError::Interrupted);
                    }
                    let (phase, done) = ("looking for cycles".to_owned(), marks.len() as u64);
                    control.tell(&Progress {
                        phase,
                        done,
                        total: Some(solved.states() as u64),
                        bounds: None,
                    });
                }
                marks.insert(child, Mark::OnPath);
                path.push((child, legal(game, &child), 0));
            }
        }
    }
    Ok(None)
}

fn legal<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if game.over(position).is_none() {
        game.moves(position, &mut moves);
    }
    moves
}

/// A position of the walk, its moves, and which of them is next.
type Visited<G> = (<G as Game>::Position, Vec<<G as Game>::Move>, usize);

fn cycle_text<G: Notation>(game: &G, path: &[Visited<G>], first: &G::Position) -> String {
    let from = path.iter().position(|(position, _, _)| position == first).unwrap_or(0);
    let moves: Vec<String> = path[from..]
        .iter()
        .map(|(position, moves, next)| game.move_text(position, moves[next - 1]))
        .collect();
    format!("{}: {}", game.position_text(first), moves.join(" "))
}

/// The designer of Flowish claims that a player who is not in one group always has a move, and that his
/// moves never return.
fn flowish_claims(side: Side, control: &Control<'_>) -> Result<Vec<Claim>, EngineError> {
    let most = match side.get() {
        0..=WHOLE_SIDE => side.board().count(),
        _ => MOST_PIECES_BEYOND,
    };
    let board = side.board();
    let mut stuck = None;
    let mut walk = SetWalk { side, heights: HashMap::new(), returns: None };
    for pieces in 2..=most {
        for set in sets(board.count(), pieces) {
            if control.stopped() {
                return Err(EngineError::Interrupted);
            }
            if !board.is_one_group(set) && walk.successors(set).is_empty() {
                stuck = Some(format!("{set:?}"));
            }
            walk.height(set);
        }
        let phase = "sets of one colour".to_owned();
        control.tell(&Progress {
            phase,
            done: u64::from(pieces),
            total: Some(u64::from(most)),
            bounds: None,
        });
    }
    let highest = walk.heights.values().flatten().max().copied().unwrap_or(0);
    let all = format!("every set of 2 to {most} pieces of one colour; at most {highest} moves in a row");
    let verdict = |text: &str, counterexample: Option<String>| {
        let holds = Some(counterexample.is_none());
        Claim { claim: text.to_owned(), holds, evidence: counterexample.unwrap_or_else(|| all.clone()) }
    };
    Ok(vec![
        verdict("a player who is not in one group has a move", stuck),
        verdict(NEVER_RETURN, walk.returns),
    ])
}

/// Play ends where the claim of this text holds.
///
/// Of Flowish: steps look at the mover's own pieces alone and captures never come back, so where the moves of one
/// colour never return, play ends.
fn ends_since(claims: &mut [Claim], reason: &str) {
    let Some(never) = claims.iter().find(|claim| claim.claim == reason).cloned() else { return };
    for claim in claims.iter_mut().filter(|claim| claim.claim == PLAY_ENDS && claim.holds.is_none()) {
        if never.holds == Some(true) {
            claim.holds = Some(true);
            claim.evidence = format!("{reason}: {}", never.evidence);
        }
    }
}

/// All sets of so many of the first cells.
fn sets(cells: u32, size: u32) -> impl Iterator<Item = Cells> {
    let end = Cells::first(cells).0;
    let mut next = Some(Cells::first(size).0);
    std::iter::from_fn(move || {
        let set = next.filter(|&set| set <= end)?;
        // Gosper's hack: the next larger number with as many bits.
        let low = set & set.wrapping_neg();
        let ripple = set + low;
        next = Some(ripple | ((set ^ ripple) / low) >> 2);
        Some(Cells(set))
    })
}

/// How many moves in a row a set of one colour can make; none while it is being worked out.
struct SetWalk {
    side: Side,
    heights: HashMap<Cells, Option<u32>>,
    returns: Option<String>,
}

impl SetWalk {
    fn successors(&self, set: Cells) -> Vec<Cells> {
        let mut after = Vec::new();
        if !self.side.board().is_one_group(set) {
            Flow::steps(self.side.board(), set, |step| after.push(set.without(step.from).with(step.to)));
        }
        after
    }

    fn height(&mut self, set: Cells) -> u32 {
        match self.heights.get(&set) {
            Some(Some(height)) => return *height,
            Some(None) => {
                self.returns = Some(format!("{set:?}"));
                return 0;
            }
            None => {}
        }
        self.heights.insert(set, None);
        let successors = self.successors(set);
        let height = successors.into_iter().map(|after| 1 + self.height(after)).max().unwrap_or(0);
        self.heights.insert(set, Some(height));
        height
    }
}
