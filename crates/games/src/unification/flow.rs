//! The step of Flowish: along a flowline towards the largest group, or towards the nearest flowline.

use marquis_core::{Cell, Cells};

use super::Stepping;
use super::remembered::Remembered;
use super::why::{self, GroupRelation};
use crate::hex::{Direction, Hex};
use crate::steps::Step;

/// A piece steps towards the nearest target on its lines; while no piece has a target on a line,
/// pieces step towards their nearest flowline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flow;

impl Stepping for Flow {
    const ID: &'static str = "flowish";
    const RULES: &'static marquis_core::RulesPage = &super::FLOWISH_RULES;

    fn steps(board: &Hex, own: Cells, visit: impl FnMut(Step)) {
        let known = STEPS.with(|known| known.get(board, own, || StepList::of(board, own)));
        match known.steps.get(..usize::from(known.count)) {
            Some(steps) => steps.iter().copied().for_each(visit),
            None => each_step(board, own, visit),
        }
    }

    #[inline]
    fn can_step(board: &Hex, own: Cells) -> bool {
        CAN_STEP.with(|known| known.get(board, own, || has_step(board, own)))
    }

    fn why_stays(board: &Hex, own: Cells, from: Cell) -> String {
        why::stays_on(standing(board, own, from), board, from)
    }

    fn why_not_towards(board: &Hex, own: Cells, step: Step) -> String {
        why::leads_astray(standing(board, own, step.from), board, step)
    }
}

thread_local! {
    static CAN_STEP: Remembered<bool> = Remembered::new(16);
    static STEPS: Remembered<StepList> = Remembered::new(12);
}

/// The steps of a set, if they are few enough.
#[derive(Clone, Copy)]
struct StepList {
    steps: [Step; Self::MOST],
    /// The number of steps, those without room included.
    count: u8,
}

impl Default for StepList {
    fn default() -> Self {
        Self { steps: [Step { from: Cell(0), to: Cell(0) }; Self::MOST], count: 0 }
    }
}

impl StepList {
    /// More than nearly every set of the largest board has.
    const MOST: usize = 31;

    fn of(board: &Hex, own: Cells) -> Self {
        let mut list = Self::default();
        each_step(board, own, |step| {
            if let Some(place) = list.steps.get_mut(usize::from(list.count)) {
                *place = step;
            }
            list.count = list.count.saturating_add(1);
        });
        list
    }
}

fn each_step(board: &Hex, own: Cells, mut visit: impl FnMut(Step)) {
    let groups = Groups::of(board, own);
    let mut on_flowline = false;
    for (from, targets) in groups.targets(own) {
        on_flowline |= along_flowlines(board, own, from, targets, &mut visit);
    }
    if !on_flowline {
        for (from, targets) in groups.targets(own) {
            towards_flowlines(board, own, from, targets, &mut visit);
        }
    }
}

/// The first piece that is on a flowline can nearly always step.
fn has_step(board: &Hex, own: Cells) -> bool {
    let groups = Groups::of(board, own);
    let (mut on_flowline, mut found) = (false, false);
    for (from, targets) in groups.targets(own) {
        on_flowline |= along_flowlines(board, own, from, targets, &mut |_| found = true);
        if found {
            return true;
        }
    }
    !on_flowline
        && groups.targets(own).any(|(from, targets)| {
            towards_flowlines(board, own, from, targets, &mut |_| found = true);
            found
        })
}

/// The relation of the piece on a cell to the largest group.
fn standing(board: &Hex, own: Cells, piece: Cell) -> GroupRelation {
    let mut somebody_is = false;
    let mut standing = None;
    for (from, targets) in Groups::of(board, own).targets(own) {
        let on_flowline = along_flowlines(board, own, from, targets, &mut |_| {});
        somebody_is |= on_flowline;
        if from == piece && targets.is_empty() {
            standing = Some(GroupRelation::Home);
        } else if from == piece && on_flowline {
            standing = Some(GroupRelation::OnFlowline);
        }
    }
    standing.unwrap_or(if somebody_is { GroupRelation::Aside } else { GroupRelation::NobodyIs })
}

/// The groups of a set of pieces.
struct Groups {
    groups: [Cells; 64],
    count: usize,
    /// The cells of all groups of the greatest size.
    largest: Cells,
}

impl Groups {
    fn of(board: &Hex, own: Cells) -> Self {
        let mut groups = [Cells::EMPTY; 64];
        let (mut count, mut most) = (0, 0);
        for group in board.groups(own) {
            groups[count] = group;
            count += 1;
            most = most.max(group.len());
        }
        let largest = groups[..count].iter().filter(|group| group.len() == most);
        let largest = largest.fold(Cells::EMPTY, |all, &group| all | group);
        Self { groups, count, largest }
    }

    /// Each piece, in rising order, and its targets: the pieces of the largest groups other than its own.
    fn targets(&self, own: Cells) -> impl Iterator<Item = (Cell, Cells)> {
        own.map(|from| {
            let home = self.groups[..self.count].iter().find(|group| group.contains(from));
            (from, self.largest - home.copied().unwrap_or_default())
        })
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

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;
    use crate::hex::Side;

    #[test]
    fn who_can_step_has_a_step() {
        let mut random = SmallRng::seed_from_u64(3);
        let mut seen = [0; 2];
        for side in Side::all() {
            let board = side.board();
            for round in 0..2000 {
                let thin = [u64::MAX, random.random(), random.random::<u64>() & random.random::<u64>()];
                let own = Cells(random.random::<u64>() & thin[round % 3]) & board.all();
                let mut found = false;
                Flow::steps(board, own, |_| found = true);
                assert_eq!(Flow::can_step(board, own), found, "{own:?}");
                seen[usize::from(found)] += 1;
            }
        }
        assert!(seen.iter().all(|&seen| seen > 100), "{seen:?}");
    }
}
