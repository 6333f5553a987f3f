//! First numbers that learn during a search, from the cost of earlier proofs of similar positions.
//!
//! How hard a position is to prove depends most on the features that change least: in Swish the beads still on the
//! board, in Squeeze how the prover's rooks stand to them. Thousands of positions share such features, and the proofs
//! of the first ones predict the cost of the others. A game names the shared features
//! ([`Heuristic::kin`](crate::Heuristic::kin)). Each such kin has a lesson: by how many doublings its proofs were
//! dearer or cheaper than the game's own first number. The lessons of a position's kins add up.
//!
//! A lesson moves towards the nodes that a proof took, and, upwards only and more slowly, towards the proof number of
//! positions that were left open. Disproofs teach nothing: that a player cannot win says little about the cost of a
//! win. Measurements: `crates/proof/MEASUREMENTS.md`. Lessons only steer the search.

use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use marquis_core::Player;

use crate::{Numbers, Question};

/// The keys of positions whose proofs cost about the same, relative to their first numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kin {
    /// A key of many positions, which learns fast.
    pub wide: u64,
    /// Keys of few positions, which learn what is left more slowly.
    pub close: Option<[u64; 2]>,
}

impl Kin {
    /// Kin with a wide key alone.
    #[must_use]
    pub const fn wide(wide: u64) -> Self {
        Self { wide, close: None }
    }
}

/// The maximum number of lessons: 256 KiB stay in the cache. Two kins may share a slot and learn from each other, which
/// does no harm.
const MOST: usize = 1 << 16;
/// Bytes of the transposition table per lesson, up to [`MOST`] lessons.
const BYTES_OF_TABLE: usize = 64;
/// A proof moves a lesson by 1/`PROVED` of its error.
const PROVED: i32 = 8;
/// A lesson of close kin moves by 1/`CLOSE` of the step of one of wide kin.
const CLOSE: i32 = 2;
/// A position that was left open moves a lesson by 1/`OPEN` of its error.
const OPEN: i32 = 80;
/// The lesson common to all kins moves by 1/`COMMON` of each lesson's step.
const COMMON: i32 = 100;
/// The largest lesson, also of the common one and of close kins together: two doublings either way. With more, the
/// first proofs may mislead a search for a long time.
const MOST_TAUGHT: i32 = 2 << DOUBLING;

/// The number of fractional bits of a logarithm: 2¹⁶ parts are a doubling.
const DOUBLING: u32 = 16;

/// The result of searching a position when the search leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchEffort {
    /// Proved after `nodes` nodes.
    Proved { nodes: u64 },
    /// Open, with this proof number.
    Open { proof: u32 },
}

/// Selects lessons: by kin, question and player on move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LessonKey {
    wide: usize,
    close: Option<[usize; 2]>,
    common: usize,
}

/// The lessons of a search, shared by its threads without locks.
#[derive(Debug)]
pub(crate) struct Experience {
    lessons: Vec<AtomicI32>,
    common: Common,
}

/// The lessons common to all kins, by prover and player on move; on cache lines apart from read-only data.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Common([AtomicI32; 4]);

/// Steps to the common lessons that a thread has not yet published. If every node wrote them at once, their cache
/// line would bounce between the threads' caches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Untold {
    steps: [i32; 4],
    learned: u32,
}

impl Untold {
    /// Lessons after which a thread publishes its steps.
    const MOST: u32 = 32;
}

impl Experience {
    /// Creates empty lessons, as many as suit a transposition table of `table_bytes`.
    pub(crate) fn beside(table_bytes: usize) -> Self {
        let count = (table_bytes / BYTES_OF_TABLE).clamp(1, MOST);
        let lessons = std::iter::repeat_with(AtomicI32::default).take(count).collect();
        Self { lessons, common: Common::default() }
    }

    /// The size of the lessons in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.lessons.len() * size_of::<AtomicI32>()
    }

    /// The lessons of a position's kins.
    #[inline]
    pub(crate) fn pupil(&self, kin: Kin, question: Question, turn: Player) -> LessonKey {
        let common = question.prover as usize * 2 + turn as usize;
        let place = |key: u64| {
            let mixed = (key ^ key >> 32).wrapping_add(common as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            ((u128::from(mixed) * self.lessons.len() as u128) >> 64) as usize
        };
        LessonKey { wide: place(kin.wide), close: kin.close.map(|keys| keys.map(place)), common }
    }

    /// The first number of a position: its own, corrected by the lessons of its kins.
    #[inline]
    pub(crate) fn taught(&self, own: u32, pupil: LessonKey, untold: &Untold) -> u32 {
        number(doublings(u64::from(own)) + self.lesson(pupil, untold))
    }

    /// Learns from a position that the search leaves; `own` is its first number without lessons.
    pub(crate) fn learn(&self, own: u32, pupil: LessonKey, effort: SearchEffort, untold: &mut Untold) {
        let expected = doublings(u64::from(own)) + self.lesson(pupil, untold);
        let step = match effort {
            SearchEffort::Proved { nodes } => (doublings(nodes) - expected) / PROVED,
            SearchEffort::Open { proof } => (doublings(u64::from(proof)) - expected).max(0) / OPEN,
        };
        move_by(&self.lessons[pupil.wide], step);
        for place in pupil.close.iter().flatten() {
            move_by(&self.lessons[*place], step / CLOSE);
        }
        untold.steps[pupil.common] += step / COMMON;
        untold.learned += 1;
        if untold.learned >= Untold::MOST {
            self.tell(untold);
        }
    }

    /// Publishes the steps of this thread to the others.
    pub(crate) fn tell(&self, untold: &mut Untold) {
        let Untold { steps, .. } = std::mem::take(untold);
        self.common.0.iter().zip(steps).filter(|(_, step)| *step != 0).for_each(|(common, step)| {
            move_by(common, step);
        });
    }

    #[inline]
    fn lesson(&self, pupil: LessonKey, untold: &Untold) -> i32 {
        let common = self.common.0[pupil.common].load(Relaxed) + untold.steps[pupil.common];
        let of = |place: usize| self.lessons[place].load(Relaxed);
        let close: i32 = pupil.close.map_or(0, |places| places.map(of).iter().sum());
        [common, close].map(|taught| taught.clamp(-MOST_TAUGHT, MOST_TAUGHT)).iter().sum::<i32>()
            + of(pupil.wide)
    }
}

/// Concurrent steps may be lost.
fn move_by(lesson: &AtomicI32, step: i32) {
    lesson.store((lesson.load(Relaxed) + step).clamp(-MOST_TAUGHT, MOST_TAUGHT), Relaxed);
}

/// The logarithm of a number, at least 1, in parts of a doubling; linear between powers of two.
#[inline]
fn doublings(number: u64) -> i32 {
    let number = number.max(1);
    let whole = number.ilog2();
    let part = (u128::from(number) << DOUBLING >> whole) as i32 - (1 << DOUBLING);
    (whole << DOUBLING).cast_signed() + part
}

/// The number with this logarithm, limited to those that an open position may have.
#[inline]
fn number(doublings: i32) -> u32 {
    let most = 28 << DOUBLING;
    let parts = doublings.clamp(0, most);
    let (whole, part) = (parts >> DOUBLING, (parts & ((1 << DOUBLING) - 1)) as u64);
    ((((1 << DOUBLING) + part) << whole >> DOUBLING) as u32).min(Numbers::LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: Question = Question { prover: Player::First };

    #[test]
    fn a_number_comes_back_from_its_logarithm() {
        for own in [1, 2, 3, 5, 100, 4097, 65_535] {
            assert_eq!(number(doublings(u64::from(own))), own);
        }
        assert_eq!(doublings(6) - doublings(3), 1 << DOUBLING);
        assert_eq!([number(-5), number(i32::MAX)], [1, Numbers::LARGEST]);
    }

    #[test]
    fn a_kin_learns_what_its_proofs_cost_and_others_hardly_do() {
        let (experience, mut untold) = (Experience::beside(1 << 20), Untold::default());
        let [pupil, other] = [7, 8].map(|kin| experience.pupil(Kin::wide(kin), QUESTION, Player::First));
        assert_ne!(pupil, other);
        for _ in 0..100 {
            experience.learn(64, pupil, SearchEffort::Proved { nodes: 200 }, &mut untold);
        }
        assert!(
            (195..=200).contains(&experience.taught(64, pupil, &untold)),
            "{}",
            experience.taught(64, pupil, &untold)
        );
        assert!(experience.taught(64, pupil, &untold) > 2 * experience.taught(64, other, &untold));
        // The same step in doublings from another first number.
        assert_eq!(experience.taught(16, pupil, &untold), experience.taught(64, pupil, &untold) / 4);
    }

    #[test]
    fn no_lesson_says_more_than_two_doublings_nor_does_what_kins_have_in_common() {
        let (experience, mut untold) = (Experience::beside(1 << 20), Untold::default());
        let [pupil, other] = [7, 8].map(|kin| experience.pupil(Kin::wide(kin), QUESTION, Player::First));
        for (nodes, [most, common]) in [(u64::MAX, [16, 4]), (1, [1, 1])] {
            for _ in 0..20_000 {
                experience.learn(1 << 10, pupil, SearchEffort::Proved { nodes }, &mut untold);
            }
            assert_eq!(
                experience.taught(1 << 10, pupil, &untold) * if nodes == 1 { 16 } else { 1 },
                most << 10
            );
            assert_eq!(
                experience.taught(1 << 10, other, &untold) * if nodes == 1 { 4 } else { 1 },
                common << 10
            );
        }
    }

    #[test]
    fn close_kins_learn_what_sets_them_apart_within_two_doublings() {
        let (experience, mut untold) = (Experience::beside(1 << 20), Untold::default());
        let [dear, cheap] = [[8, 9], [10, 11]]
            .map(|close| experience.pupil(Kin { wide: 7, close: Some(close) }, QUESTION, Player::First));
        for _ in 0..1000 {
            experience.learn(64, dear, SearchEffort::Proved { nodes: 96 }, &mut untold);
            experience.learn(64, cheap, SearchEffort::Proved { nodes: 43 }, &mut untold);
        }
        let stranger = experience.pupil(Kin { wide: 7, close: Some([12, 13]) }, QUESTION, Player::First);
        let [dear, cheap, stranger] =
            [dear, cheap, stranger].map(|pupil| experience.taught(64, pupil, &untold));
        assert!((92..=96).contains(&dear) && (43..=45).contains(&cheap), "{dear} {cheap}");
        assert!((60..=68).contains(&stranger), "{stranger}");
        let kin = Kin { wide: 14, close: Some([15, 16]) };
        let pupil = experience.pupil(kin, QUESTION, Player::Second);
        for _ in 0..20_000 {
            experience.learn(64, pupil, SearchEffort::Proved { nodes: u64::MAX }, &mut untold);
        }
        assert_eq!(experience.taught(64, pupil, &untold), 64 << 6, "two doublings thrice");
    }

    #[test]
    fn what_is_open_raises_a_lesson_and_never_lowers_it() {
        let (experience, mut untold) = (Experience::beside(1 << 20), Untold::default());
        let pupil = experience.pupil(Kin::wide(7), QUESTION, Player::Second);
        experience.learn(64, pupil, SearchEffort::Open { proof: 2 }, &mut untold);
        assert_eq!(experience.taught(64, pupil, &untold), 64);
        for _ in 0..1000 {
            experience.learn(64, pupil, SearchEffort::Open { proof: 200 }, &mut untold);
        }
        assert!(
            (180..=200).contains(&experience.taught(64, pupil, &untold)),
            "{}",
            experience.taught(64, pupil, &untold)
        );
    }

    #[test]
    fn a_thread_knows_at_once_what_it_learned_and_the_others_a_little_later() {
        let (experience, mut untold) = (Experience::beside(1 << 20), Untold::default());
        let [pupil, other] = [7, 8].map(|kin| experience.pupil(Kin::wide(kin), QUESTION, Player::First));
        let effort = SearchEffort::Proved { nodes: 1 << 30 };
        let of_another_thread = |own| experience.taught(own, other, &Untold::default());
        for _ in 1..Untold::MOST {
            experience.learn(1 << 10, pupil, effort, &mut untold);
        }
        assert!(experience.taught(1 << 10, other, &untold) > 1 << 10);
        assert_eq!(of_another_thread(1 << 10), 1 << 10);
        experience.learn(1 << 10, pupil, effort, &mut untold);
        assert_eq!(experience.taught(1 << 10, other, &untold), of_another_thread(1 << 10));
        assert!(of_another_thread(1 << 10) > 1 << 10);
    }

    #[test]
    fn a_small_table_has_few_lessons() {
        assert_eq!(Experience::beside(0).bytes(), 4);
        assert_eq!(Experience::beside(1 << 20).bytes(), 1 << 16);
        assert_eq!(Experience::beside(1 << 40).bytes(), 1 << 18);
    }
}
