//! Sizes of memory, which are written as texts: `512MiB`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::memory_size::MemorySize;

impl Serialize for MemorySize {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MemorySize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}
