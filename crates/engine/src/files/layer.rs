//! Which layer a file is of, and where it is.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::error::FileError;
use marquis_core::GameId;
use marquis_table::file::EXTENSION;
use marquis_table::{Fingerprint, Identity, LayerPlan, TableFile};

/// The version of the rules as this program plays them; part of the fingerprint of tables.
const RULES_VERSION: u32 = 1;

/// The fingerprint of the rules of a variant and of its numbering.
///
/// * `numbering`: the version of the numbering.
pub(crate) fn fingerprint(game: GameId, variant: &str, numbering: u32) -> Fingerprint {
    Fingerprint::of(&format!("marquis {game} {variant} rules {RULES_VERSION} numbering {numbering}"))
}

/// A layer as its file says it.
#[derive(Clone, Debug)]
pub(crate) struct LayerId {
    pub(crate) game: GameId,
    /// What is fixed for all layers.
    pub(crate) variant: String,
    /// The version of the numbering.
    pub(crate) numbering: u32,
    /// The folder of the file, below that of all tables.
    pub(crate) folder: String,
    pub(crate) name: String,
    pub(crate) slots: u64,
}

impl LayerId {
    /// The file, relative to the folder of tables.
    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(&self.folder).join(format!("{}.{EXTENSION}", self.name))
    }

    /// What a file of the layer says about itself, without counts and notes.
    pub(crate) fn plan(&self) -> LayerPlan {
        let (game, variant) = (self.game.name().to_owned(), self.variant.clone());
        let rules = fingerprint(self.game, &self.variant, self.numbering);
        let identity = Identity { game, variant, layer: self.name.clone(), rules };
        LayerPlan { identity, slots: self.slots, counts: BTreeMap::new(), notes: BTreeMap::new() }
    }

    /// Refuses a file that has not as many slots as the layer; before it is read, since a small file may promise more
    /// slots than memory holds.
    ///
    /// # Errors
    /// Says how many were expected and found.
    pub(crate) fn expect_slots(&self, table: &TableFile) -> Result<(), FileError> {
        let (expected, found) = (self.slots, table.header().slots);
        if expected == found {
            return Ok(());
        }
        let advice = "remove it and build it again";
        Err(FileError::unexpected(table.name(), format!("{expected} slots"), found, advice))
    }
}

/// The error of a file whose layer its game does not know.
pub(crate) fn no_layer(table: &TableFile) -> FileError {
    let found = &table.header().identity.layer;
    FileError::unexpected(table.name(), "the name of a layer", found, "remove it and build it again")
}
