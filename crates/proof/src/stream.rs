//! Bytes of a strategy that one thread writes while another replays them.
//!
//! A writer may take back bytes. If it has already sent some of them, the stream ends early. So a replay counts only if
//! its bytes are those of the finished strategy.

use std::sync::mpsc::{Receiver, Sender, channel};

/// Bytes that are sent at once.
const PIECE: usize = 1 << 12;
/// Bytes at the end that are not yet sent: most moves that a trace takes back are among them.
const HELD_BACK: usize = 1 << 14;

/// Bytes that are read from the front, and may not all be there yet.
pub(crate) trait ByteSource {
    /// The bytes: all, or at least the first `end` of them. Waits for them if need be.
    fn until(&mut self, end: usize) -> &[u8];
}

impl ByteSource for &[u8] {
    fn until(&mut self, _: usize) -> &[u8] {
        self
    }
}

/// The writer's end of a stream.
#[derive(Debug)]
pub(crate) struct StreamWriter {
    /// `None` after bytes that were sent have changed.
    pieces: Option<Sender<Vec<u8>>>,
    sent: usize,
}

/// The reader's end of a stream.
#[derive(Debug)]
pub(crate) struct StreamReader {
    pieces: Receiver<Vec<u8>>,
    received: Vec<u8>,
}

/// The two ends of an empty stream.
pub(crate) fn stream() -> (StreamWriter, StreamReader) {
    let (sender, pieces) = channel();
    (StreamWriter { pieces: Some(sender), sent: 0 }, StreamReader { pieces, received: Vec::new() })
}

impl StreamWriter {
    /// Sends a piece of `bytes`, all bytes written so far, if enough of them are old.
    #[inline]
    pub(crate) fn advance(&mut self, bytes: &[u8]) {
        if bytes.len() >= self.sent + PIECE + HELD_BACK {
            self.send(&bytes[..self.sent + PIECE]);
        }
    }

    /// All bytes from this place on were taken back.
    pub(crate) fn back_to(&mut self, at: usize) {
        if at < self.sent {
            self.pieces = None;
        }
    }

    /// Sends the rest of `bytes`, which are now complete.
    pub(crate) fn finish(mut self, bytes: &[u8]) {
        self.send(bytes);
    }

    fn send(&mut self, bytes: &[u8]) {
        let Some(pieces) = &self.pieces else { return };
        // A reader that has stopped needs no more.
        let _ = pieces.send(bytes[self.sent..].to_vec());
        self.sent = bytes.len();
    }
}

impl StreamReader {
    /// The bytes received so far.
    pub(crate) fn into_received(self) -> Vec<u8> {
        self.received
    }
}

impl ByteSource for StreamReader {
    fn until(&mut self, end: usize) -> &[u8] {
        while self.received.len() < end {
            let Ok(piece) = self.pieces.recv() else { break };
            self.received.extend(piece);
        }
        &self.received
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that differ from their neighbours.
    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|number| (number * 5 / 2) as u8).collect()
    }

    #[test]
    fn a_reader_gets_all_bytes_and_waits_for_them() {
        let bytes = bytes(10 * HELD_BACK + 17);
        let (mut writer, mut reader) = stream();
        std::thread::scope(|scope| {
            let read = scope.spawn(|| {
                let one_by_one = (1..).map_while(|end| reader.until(end).get(end - 1).copied());
                one_by_one.collect::<Vec<u8>>()
            });
            for end in 1..=bytes.len() {
                writer.advance(&bytes[..end]);
            }
            writer.finish(&bytes);
            assert!(read.join().expect("no panic") == bytes);
        });
        assert!(reader.until(usize::MAX) == bytes && reader.into_received() == bytes);
    }

    #[test]
    fn a_stream_ends_where_sent_bytes_change_and_only_there() {
        let (old, mut new) = (bytes(5 * HELD_BACK), bytes(5 * HELD_BACK));
        let last_sent = 4 * HELD_BACK - 1;
        new[last_sent + 1] ^= 1;
        for (back_to, is_whole) in [(last_sent + 1, true), (last_sent, false)] {
            let (mut writer, mut reader) = stream();
            (0..=old.len()).for_each(|end| writer.advance(&old[..end]));
            writer.back_to(back_to);
            (back_to..=new.len()).for_each(|end| writer.advance(&new[..end]));
            writer.finish(&new);
            let found = reader.until(usize::MAX);
            assert_eq!(found == new, is_whole, "back to {back_to}, {} bytes arrived", found.len());
            assert!(is_whole || *found == old[..=last_sent]);
        }
    }
}
