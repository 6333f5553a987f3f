//! The body of a request as JSON, from clients who send it in time.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::web::{Data, Json};
use actix_web::{Error, FromRequest, HttpRequest};
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::problem::Problem;
use crate::state::AppState;

/// What the body says.
///
/// A body that has not arrived within `body_seconds` is refused with 408 and its connection closed: half of one
/// would hold its connection for good. One for which there is no room beside the others is refused with 503
/// before it is read.
pub(super) struct Body<T>(pub(super) T);

/// A body, the texts read from it and their places in lists take so much for each byte at most.
const GROWTH: u64 = 2;

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let state = request.app_data::<Data<AppState>>().cloned();
        let length = length(request);
        let reading = Json::<T>::from_request(request, payload);
        Box::pin(async move {
            let state = state.ok_or_else(Problem::internal)?;
            let (limit, patience) = (state.config().body_limit as u64, state.config().body_patience());
            let _room = state.room().request(length.unwrap_or(limit).min(limit).saturating_mul(GROWTH))?;
            match timeout(patience, reading).await {
                Ok(read) => Ok(Self(read?.into_inner())),
                Err(_) => Err(Problem::body_too_slow(patience).into()),
            }
        })
    }
}

/// The bytes that the body has, where the client says so.
fn length(request: &HttpRequest) -> Option<u64> {
    request.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
