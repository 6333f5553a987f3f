//! Sets of one size, in classes under a group.

use marquis_core::Cells;

use crate::group::{Element, Group};
use crate::subset::{SubsetRank, binomial, next_set, rank_set_beside, set_beside};

/// The number of a class of sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class(pub u32);

/// A set of elements of the group, bit `e` for element `e`.
type Elements = u16;

/// The number of bits of a packed place that hold the element.
const ELEMENT_BITS: u32 = 4;

/// The classes of all sets of one size, or of those that avoid some cells, by rising smallest member.
///
/// A look-up costs the rank of a set and one load; the table takes four bytes for each set.
#[derive(Clone, Debug)]
pub struct SetClasses {
    size: u32,
    taken: Cells,
    /// For each set, by its rank: its class, and an element that takes it to the representative.
    places: Vec<u32>,
    representatives: Vec<Cells>,
    stabilisers: Vec<Elements>,
}

impl SetClasses {
    /// The classes of the sets of `size` cells under `group`.
    ///
    /// Panics when there are 2³² such sets or more.
    #[must_use]
    pub fn new(group: &Group, size: u32) -> Self {
        let all: Vec<Element> = group.elements().collect();
        Self::beside(group, &all, Cells::EMPTY, size)
    }

    /// The classes of the sets of `size` cells that avoid `taken`, under a subgroup.
    ///
    /// * `elements`: a subgroup that leaves `taken` in place, the identity first.
    ///
    /// Panics when there are 2³² such sets or more, or an element does not leave `taken` in place.
    #[must_use]
    pub fn beside(group: &Group, elements: &[Element], taken: Cells, size: u32) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let keeps = |&element: &Element| group.image_of(element, taken) == taken;
        assert!(elements.iter().all(keeps), "each element leaves the taken cells in place");
        let sets = binomial(group.cells() - taken.len(), size);
        assert!(sets < u64::from(u32::MAX), "{sets} sets of {size} cells are too many for a table");
        let mut places = vec![UNSEEN; sets as usize];
        let (mut representatives, mut stabilisers) = (Vec::new(), Vec::new());
        let mut next = (sets > 0).then_some(Cells::first(size));
        for rank in 0..places.len() {
            let Some(packed) = next else { break };
            next = next_set(packed);
            if places[rank] != UNSEEN {
                continue;
            }
            let set = set_beside(packed, taken);
            let class = representatives.len() as u32;
            assert!(class < UNSEEN >> ELEMENT_BITS, "too many classes of {size} cells");
            let mut stabiliser = 0;
            for &element in elements {
                let image = group.image_of(element, set);
                if image == set {
                    stabiliser |= 1 << element.0;
                }
                let place = &mut places[rank_set_beside(image, taken).0 as usize];
                if *place == UNSEEN {
                    *place = class << ELEMENT_BITS | u32::from(group.inverse(element).0);
                }
            }
            representatives.push(set);
            stabilisers.push(stabiliser);
        }
        Self { size, taken, places, representatives, stabilisers }
    }

    /// The number of cells in each set.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// All sets in the order of ranks, each with its class and an element that takes it to the representative.
    pub fn all(&self) -> impl Iterator<Item = (Cells, Class, Element)> {
        let packed = std::iter::successors(Some(Cells::first(self.size)), |&set| next_set(set));
        packed.zip(&self.places).map(|(packed, &place)| {
            let (class, element) = split(place);
            (set_beside(packed, self.taken), class, element)
        })
    }

    /// The number of classes.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.representatives.len() as u32
    }

    /// The class of a set, and an element that takes the set to the class's representative.
    ///
    /// * `cells`: a set of the size of these classes that avoids the taken cells.
    #[inline]
    #[must_use]
    pub fn find(&self, cells: Cells) -> (Class, Element) {
        self.find_ranked(rank_set_beside(cells, self.taken))
    }

    /// The same as [`find`](Self::find) for a set whose rank beside the taken cells is known.
    #[inline]
    #[must_use]
    pub fn find_ranked(&self, SubsetRank(rank): SubsetRank) -> (Class, Element) {
        split(self.places[rank as usize])
    }

    /// The smallest set of a class.
    #[inline]
    #[must_use]
    pub fn representative(&self, class: Class) -> Cells {
        self.representatives[class.0 as usize]
    }

    /// Whether only the identity leaves the representative in place.
    #[inline]
    #[must_use]
    pub fn is_free(&self, class: Class) -> bool {
        self.stabilisers[class.0 as usize] == 1
    }

    /// The elements that leave the representative in place, the identity first.
    #[inline]
    pub fn stabiliser(&self, class: Class) -> impl Iterator<Item = Element> + use<> {
        Cells(u64::from(self.stabilisers[class.0 as usize])).map(|element| Element(element.0))
    }

    /// The smallest image of `other` under the elements that leave the representative in place.
    ///
    /// It is the same for all images, so (class, smallest image) names the pair of sets up to symmetry.
    #[inline]
    #[must_use]
    pub fn smallest_beside(&self, group: &Group, class: Class, other: Cells) -> Cells {
        if self.is_free(class) {
            return other;
        }
        self.stabiliser(class).map(|element| group.image_of(element, other)).min().unwrap_or(other)
    }
}

/// The class and the element of a packed place.
#[inline]
const fn split(place: u32) -> (Class, Element) {
    (Class(place >> ELEMENT_BITS), Element((place & ((1 << ELEMENT_BITS) - 1)) as u8))
}
