//! The body of a request as JSON, from clients who send it in time.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::{Data, Json};
use actix_web::{Error, FromRequest, HttpRequest};
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::problem::Problem;
use crate::state::AppState;

/// What the body says.
///
/// A body that has not arrived within `body_seconds` is refused with 408 and its connection closed: half of one
/// would hold its connection for good.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let patience = request.app_data::<Data<AppState>>().map(|state| state.config().body_patience());
        let reading = Json::<T>::from_request(request, payload);
        Box::pin(async move {
            let patience = patience.ok_or_else(Problem::internal)?;
            match timeout(patience, reading).await {
                Ok(read) => Ok(Self(read?.into_inner())),
                Err(_) => Err(Problem::body_too_slow(patience).into()),
            }
        })
    }
}
