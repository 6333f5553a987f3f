//! Checks that all ranks are set to do the same work, before any of them starts.

use crate::Error;
use crate::peers::Peers;
use crate::rank::Rank;
use crate::talk::tell_all;

/// The settings of a rank, as texts that must be the same for all.
#[derive(Clone, Debug, Default)]
pub struct Hello {
    said: Vec<Greeting>,
}

#[derive(Clone, Debug)]
struct Greeting {
    what: String,
    value: String,
    advice: &'static str,
}

impl Hello {
    /// Nothing to compare yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value that must be the same for all.
    ///
    /// * `what`: as in "the version of the program differs between ranks".
    /// * `advice`: what to do if it differs.
    #[must_use]
    pub fn with(mut self, what: impl Into<String>, value: impl Into<String>, advice: &'static str) -> Self {
        self.said.push(Greeting { what: what.into(), value: value.into(), advice });
        self
    }

    /// Compares the values with those of the other ranks.
    ///
    /// Every rank must compare the same things; a rank that sends something else differs.
    ///
    /// # Errors
    /// The first difference, with the rank and both values, the same error on all ranks; or a lost rank.
    pub fn agree(&self, peers: &dyn Peers) -> Result<(), Error> {
        let told = tell_all(peers, &self.bytes())?;
        let values: Vec<Vec<String>> = told.iter().map(|bytes| read(bytes)).collect();
        let first = &values[0];
        for (at, Greeting { what, advice, .. }) in self.said.iter().enumerate() {
            let of = |values: &Vec<String>| values.get(at).cloned().unwrap_or_else(|| "nothing".to_owned());
            let expected = of(first);
            for (rank, values) in peers.ranks().all().zip(&values) {
                let found = of(values);
                if found != expected {
                    let first = Rank::FIRST;
                    return Err(Error::Differs { what: what.clone(), first, expected, rank, found, advice });
                }
            }
        }
        Ok(())
    }

    /// Each value, preceded by its length.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for Greeting { value, .. } in &self.said {
            bytes.extend((value.len() as u64).to_le_bytes());
            bytes.extend(value.as_bytes());
        }
        bytes
    }
}

/// The values that a rank sent, as far as they can be decoded.
fn read(mut bytes: &[u8]) -> Vec<String> {
    let mut values = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<8>() {
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some((value, rest)) = rest.split_at_checked(length) else { break };
        values.push(String::from_utf8_lossy(value).into_owned());
        bytes = rest;
    }
    values
}
