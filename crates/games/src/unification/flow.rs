//! The step of Flowish: along a flowline towards the largest group, or towards the nearest flowline.

use marquis_core::{Cell, Cells};

use super::Stepping;
use super::why::{self, Standing};
use crate::hex::{Direction, Hex};
use crate::steps::Step;

/// A piece steps towards the nearest target on its lines; while no piece has a target on a line,
/// pieces step towards their nearest flowline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flow;

impl Stepping for Flow {
    const ID: &'static str = "flowish";
    const RULES: &'static marquis_core::RulesPage = &super::FLOWISH_RULES;

    fn steps(board: &Hex, own: Cells, mut visit: impl FnMut(Step)) {
        let mut on_flowline = false;
        for_each_targets(board, own, |from, targets| {
            on_flowline |= along_flowlines(board, own, from, targets, &mut visit);
        });
        if !on_flowline {
            for_each_targets(board, own, |from, targets| {
                towards_flowlines(board, own, from, targets, &mut visit);
            });
        }
    }

    fn why_stays(board: &Hex, own: Cells, from: Cell) -> String {
        why::stays_on(standing(board, own, from), board, from)
    }

    fn why_not_towards(board: &Hex, own: Cells, step: Step) -> String {
        why::leads_astray(standing(board, own, step.from), board, step)
    }
}

/// How the piece on a cell stands to the largest group.
fn standing(board: &Hex, own: Cells, piece: Cell) -> Standing {
    let mut somebody_is = false;
    let mut standing = None;
    for_each_targets(board, own, |from, targets| {
        let on_flowline = along_flowlines(board, own, from, targets, &mut |_| {});
        somebody_is |= on_flowline;
        if from == piece && targets.is_empty() {
            standing = Some(Standing::Home);
        } else if from == piece && on_flowline {
            standing = Some(Standing::OnFlowline);
        }
    });
    standing.unwrap_or(if somebody_is { Standing::Aside } else { Standing::NobodyIs })
}

/// Calls `visit` with each piece, in rising order, and its targets: the pieces of the largest groups
/// other than its own.
fn for_each_targets(board: &Hex, own: Cells, mut visit: impl FnMut(Cell, Cells)) {
    let mut groups = [Cells::EMPTY; 64];
    let (mut count, mut most) = (0, 0);
    let mut left = own;
    while let Some(cell) = left.lowest() {
        let group = board.group(own, cell);
        left = left - group;
        groups[count] = group;
        count += 1;
        most = most.max(group.len());
    }
    let groups = &groups[..count];
    let largest = groups.iter().filter(|group| group.len() == most).fold(Cells::EMPTY, |all, &g| all | g);
    for from in own {
        let home = groups.iter().find(|group| group.contains(from)).copied().unwrap_or_default();
        visit(from, largest - home);
    }
}

/// Visits the steps of `from` in its directions of least distance to a target.
///
/// * Result: whether the piece is on a flowline at all; its destinations may hold friends.
fn along_flowlines(
    board: &Hex,
    own: Cells,
    from: Cell,
    targets: Cells,
    visit: &mut impl FnMut(Step),
) -> bool {
    let distance = |direction| {
        let target = Hex::nearest(board.ray(from, direction) & targets, direction)?;
        Some(board.between(from, target).len())
    };
    let distances = Direction::ALL.map(distance);
    let Some(least) = distances.iter().flatten().min() else { return false };
    for (direction, distance) in Direction::ALL.into_iter().zip(&distances) {
        if let Some(to) = board.neighbour(from, direction)
            && distance.as_ref() == Some(least)
            && !own.contains(to)
        {
            visit(Step { from, to });
        }
    }
    true
}

/// Visits the steps of `from` to cells one step nearer to the nearest line through a target.
fn towards_flowlines(board: &Hex, own: Cells, from: Cell, targets: Cells, visit: &mut impl FnMut(Step)) {
    if targets.is_empty() {
        return;
    }
    let lines = targets.fold(Cells::EMPTY, |lines, target| {
        Direction::ALL.iter().fold(lines.with(target), |lines, &d| lines | board.ray(target, d))
    });
    let mut nearer = lines;
    loop {
        let grown = board.grown(nearer);
        if grown.contains(from) || grown == nearer {
            break;
        }
        nearer = grown;
    }
    for direction in Direction::ALL {
        if let Some(to) = board.neighbour(from, direction)
            && nearer.contains(to)
            && !own.contains(to)
        {
            visit(Step { from, to });
        }
    }
}
