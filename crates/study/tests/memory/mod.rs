//! A journal in memory.

use std::convert::Infallible;

use marquis_study::{Event, Journal};

/// A journal that is dropped with the test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) events: Vec<Event>,
}

impl Journal for Memory {
    type Error = Infallible;

    fn keep(&mut self, number: u32, event: &Event) -> Result<(), Infallible> {
        assert_eq!(self.events.len(), number as usize, "events come in their order");
        self.events.push(event.clone());
        Ok(())
    }

    fn strategies(&self, number: u32) -> Result<Vec<Vec<u8>>, Infallible> {
        match &self.events[number as usize] {
            Event::Job { strategies, .. } => Ok(strategies.clone()),
            Event::Expanded { .. } => Ok(Vec::new()),
        }
    }
}
