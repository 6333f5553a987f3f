//! The JSON body of a request, with a limit on the time that it takes to arrive.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use actix_web::web::Data;
use actix_web::{Error, FromRequest, HttpMessage as _, HttpRequest};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::coding::{Coding, UnpackError};
use crate::problem::Problem;
use crate::room;
use crate::state::AppState;

/// A parsed body.
///
/// If a body has not arrived within `body_seconds`, it is refused with 408 and the connection is closed: half a body
/// would keep its connection open forever. If there is no room for a body, it is refused with 503 before it is read,
/// or while it is unpacked.
pub(super) struct Body<T>(pub(super) T);

/// Memory per byte of a body, including the texts that are parsed from it.
const GROWTH: u64 = 2;
/// A body up to this length is parsed on the receiving thread; a longer one would delay other requests there.
const SHORT: usize = 16 << 10;

impl<T: DeserializeOwned + Send + 'static> FromRequest for Body<T> {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let state = request.app_data::<Data<AppState>>().cloned();
        let (head, payload) = (BodyHeaders::of(request), payload.take());
        Box::pin(async move {
            let state = state.ok_or_else(Problem::internal)?.into_inner();
            Ok(Self(received(state, head?, payload).await?))
        })
    }
}

/// The headers about the body.
#[derive(Clone, Copy)]
struct BodyHeaders {
    coding: Coding,
    /// The length in transit, if the client states it.
    length: Option<u64>,
}

impl BodyHeaders {
    /// # Errors
    /// 415 if it is not JSON, or its content coding is not supported.
    fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let kind = request.mime_type().ok().flatten();
        let is_json = kind.is_some_and(|kind| {
            kind.subtype() == "json" || kind.suffix().is_some_and(|suffix| suffix == "json")
        });
        if !is_json {
            return Err(Problem::unsupported_media_type());
        }
        Ok(Self { coding: Coding::of(request.headers())?, length: length(request) })
    }
}

/// Parses a body after it has arrived.
async fn received<T: DeserializeOwned + Send + 'static>(
    state: Arc<AppState>,
    BodyHeaders { coding, length }: BodyHeaders,
    payload: Payload,
) -> Result<T, Problem> {
    let limit = state.config().body_limit;
    let growth = if coding == Coding::Identity { GROWTH } else { 1 };
    let (packed, mut room) = arrived(&state, payload, length, limit, growth).await?;
    if coding == Coding::Identity && packed.len() <= SHORT {
        return read(&packed);
    }
    let working = Arc::clone(&state);
    let work = move || {
        let text = match coding {
            Coding::Identity => packed,
            packing => {
                let more = |bytes| room.grow(working.room(), bytes);
                packing.unpack(&packed, limit, more).map_err(|error| match error {
                    UnpackError::TooLarge(limit) => Problem::body_too_large(limit),
                    UnpackError::NoRoom(problem) => problem,
                    UnpackError::Corrupt(error) => Problem::malformed("body", &error),
                })?
            }
        };
        let said = read(&text);
        // The memory is reserved until here.
        drop(room);
        said
    };
    state.pieces().compute(work).await.map_err(|_| Problem::internal())?
}

/// The bytes of a body as sent, and the memory that is reserved for `growth` times as many.
async fn arrived(
    state: &AppState,
    payload: Payload,
    length: Option<u64>,
    limit: usize,
    growth: u64,
) -> Result<(Vec<u8>, room::Bytes), Problem> {
    if length.is_some_and(|length| length > limit as u64) {
        return Err(Problem::body_too_large(limit));
    }
    let room = state.room().request(length.unwrap_or(limit as u64).saturating_mul(growth))?;
    let patience = state.config().body_patience();
    let bytes = timeout(patience, collected(payload, length, limit)).await;
    Ok((bytes.map_err(|_| Problem::body_too_slow(patience))??, room))
}

/// Collects the pieces of a body.
async fn collected(mut payload: Payload, length: Option<u64>, limit: usize) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(length.and_then(|length| usize::try_from(length).ok()).unwrap_or(0));
    while let Some(piece) = payload.next().await {
        let piece = piece.map_err(|error: PayloadError| Problem::malformed("body", &error))?;
        if bytes.len() + piece.len() > limit {
            return Err(Problem::body_too_large(limit));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// The bytes of a body that is not JSON, and the memory that is reserved for them.
///
/// # Errors
/// As for a [`Body`]; 415 if it is compressed.
pub(super) async fn bytes(
    state: &AppState,
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
) -> Result<(Vec<u8>, room::Bytes), Problem> {
    if let Some(coding) = request.headers().get(CONTENT_ENCODING) {
        let found = String::from_utf8_lossy(coding.as_bytes());
        return Err(Problem::unsupported_coding(&found, "identity"));
    }
    arrived(state, payload, length(request), limit, 1).await
}

/// The length of a body in transit, if the client states it.
fn length(request: &HttpRequest) -> Option<u64> {
    request.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(text).map_err(|error| Problem::malformed("body", &error))
}
