//! Sizes of memory and disk, serialized as texts: `512MiB`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::memory_size::{DiskSize, MemorySize, exactly};

impl Serialize for MemorySize {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&exactly(self.0))
    }
}

impl<'de> Deserialize<'de> for MemorySize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

impl Serialize for DiskSize {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if *self == Self::NONE { to.serialize_str("0") } else { to.serialize_str(&exactly(self.0)) }
    }
}

impl<'de> Deserialize<'de> for DiskSize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}
