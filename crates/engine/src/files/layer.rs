//! The layer of a file, and its path.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::error::FileError;
use marquis_core::GameId;
use marquis_table::file::EXTENSION;
use marquis_table::{Fingerprint, Identity, LayerPlan, TableFile};

/// The version of the rules of this program; part of the fingerprint of tables.
const RULES_VERSION: u32 = 1;

/// The fingerprint of the rules of a variant and of its numbering.
///
/// * `numbering`: the version of the numbering.
pub(crate) fn fingerprint(game: GameId, variant: &str, numbering: u32) -> Fingerprint {
    Fingerprint::of(&format!("marquis {game} {variant} rules {RULES_VERSION} numbering {numbering}"))
}

/// A layer as its file names it.
#[derive(Clone, Debug)]
pub(crate) struct LayerId {
    pub(crate) game: GameId,
    /// The rules that are fixed for all layers.
    pub(crate) variant: String,
    /// The version of the numbering.
    pub(crate) numbering: u32,
    /// The folder of the file, relative to the folder of tables.
    pub(crate) folder: String,
    pub(crate) name: String,
    pub(crate) slots: u64,
}

impl LayerId {
    /// The file, relative to the folder of tables.
    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(&self.folder).join(format!("{}.{EXTENSION}", self.name))
    }

    /// The header of a file of the layer, without counts and notes.
    pub(crate) fn plan(&self) -> LayerPlan {
        let (game, variant) = (self.game.name().to_owned(), self.variant.clone());
        let rules = fingerprint(self.game, &self.variant, self.numbering);
        let identity = Identity { game, variant, layer: self.name.clone(), rules };
        LayerPlan { identity, slots: self.slots, counts: BTreeMap::new(), notes: BTreeMap::new() }
    }

    /// Rejects a file whose number of slots differs from that of the layer, before it is read: a small file may claim
    /// more slots than memory holds.
    ///
    /// # Errors
    /// The error gives the expected and the found number.
    pub(crate) fn expect_slots(&self, table: &TableFile) -> Result<(), FileError> {
        let (expected, found) = (self.slots, table.header().slots);
        if expected == found {
            return Ok(());
        }
        let advice = "remove it and build it again";
        Err(FileError::unexpected(table.name(), format!("{expected} slots"), found, advice))
    }
}

/// The error of a file whose layer does not exist in its game.
pub(crate) fn no_layer(table: &TableFile) -> FileError {
    let found = &table.header().identity.layer;
    FileError::unexpected(table.name(), "the name of a layer", found, "remove it and build it again")
}
