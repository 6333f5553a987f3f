//! A connection whose client has to read its response.
//!
//! A client that does not read would keep its response, and the part still to be computed, in memory forever.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::room::Unsent;

/// The send buffer of the system for a client; by default it would be megabytes.
const SEND_BUFFER: usize = 128 << 10;
/// The client has to take this many bytes within the patience; single bytes are not enough.
const LEAST: usize = 8 << 10;

/// A stream that fails if its client takes nothing for too long.
pub(crate) struct Connection {
    stream: TcpStream,
    patience: Duration,
    /// Runs while the client is slow.
    clock: Option<Pin<Box<Sleep>>>,
    /// Bytes taken since the clock was set.
    taken: usize,
    /// This connection's share of [`Unsent::bytes`].
    waiting: usize,
    unsent: Arc<Unsent>,
}

impl Connection {
    /// * `patience`: how long the client may take nothing.
    /// * `unsent`: counts the bytes that wait for clients.
    pub(crate) fn new(stream: TcpStream, patience: Duration, unsent: Arc<Unsent>) -> Self {
        let socket = SockRef::from(&stream);
        // If the system refuses, it costs memory or time, but no response.
        let _ = socket.set_send_buffer_size(SEND_BUFFER);
        let _ = socket.set_tcp_nodelay(true);
        Self { stream, patience, clock: None, taken: 0, waiting: 0, unsent }
    }

    /// Records how many bytes wait for the client.
    fn wait_for(&mut self, bytes: usize) {
        self.unsent.bytes.fetch_add(bytes as u64, Relaxed);
        self.unsent.bytes.fetch_sub(self.waiting as u64, Relaxed);
        self.waiting = bytes;
    }

    /// The client took `bytes` of the `of` bytes to send.
    fn took(&mut self, bytes: usize, of: usize) {
        self.taken += bytes;
        self.wait_for(of - bytes);
        if self.waiting == 0 {
            self.clock = None;
        } else if self.taken >= LEAST
            && let Some(clock) = &mut self.clock
        {
            clock.as_mut().reset(Instant::now() + self.patience);
            self.taken = 0;
        }
    }

    /// The client currently takes nothing.
    fn poll_patience(&mut self, context: &mut Context<'_>, bytes: usize) -> Poll<Result<usize>> {
        self.wait_for(bytes);
        if self.clock.is_none() {
            self.taken = 0;
        }
        let patience = self.patience;
        let clock = self.clock.get_or_insert_with(|| Box::pin(sleep(patience)));
        if clock.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        self.unsent.cut_off.fetch_add(1, Relaxed);
        tracing::info!(unsent = bytes, "a client that does not read is disconnected");
        // The system discards its send buffer for the client as well.
        let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
        Poll::Ready(Err(Error::from(ErrorKind::TimedOut)))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.wait_for(0);
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, to)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let connection = self.get_mut();
        match Pin::new(&mut connection.stream).poll_write(context, bytes) {
            Poll::Ready(Ok(count)) => {
                connection.took(count, bytes.len());
                Poll::Ready(Ok(count))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => connection.poll_patience(context, bytes.len()),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        // One part at a time, because each is counted.
        let part = parts.iter().find(|part| !part.is_empty()).map_or(&[][..], |part| part);
        self.poll_write(context, part)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
