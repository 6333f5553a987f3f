//! Single requests to an HTTP service.

use std::io;
use std::time::Duration;

use futures_util::StreamExt as _;
use object_store::client::{HttpClient, HttpRequest, HttpRequestBody, HttpResponse};
use tokio::runtime::{Builder, Runtime};

use crate::address::{Address, AddressError};
use crate::patience::Patience;
use crate::waiting::{self, NoResponse, deepest, silent};

/// The largest body of a response.
const MOST_BYTES: usize = 64 << 20;

/// What to do with a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpMethod<'b> {
    /// Read it.
    Get,
    /// Send it a JSON document.
    PostJson(&'b [u8]),
    /// Send it other bytes.
    PostBytes(&'b [u8]),
    /// Remove it.
    Delete,
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// When to retry, if the service says so in seconds.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The service cannot be reached, or its response broke off.
    #[error("{address}: expected a response of the service, found none; check the address and the network")]
    NotReached {
        /// The address.
        address: String,
        /// The cause.
        source: io::Error,
    },
    /// The caller stopped the request.
    #[error("stopped")]
    Stopped,
}

/// A service.
#[derive(Debug)]
pub struct Service {
    address: Address,
    client: HttpClient,
    runtime: Runtime,
    patience: Patience,
}

impl Service {
    /// The service at an address; nothing is requested yet.
    ///
    /// # Errors
    /// This program cannot reach the address, see [`AddressError`].
    pub fn open(address: &Address, patience: Patience) -> Result<Self, AddressError> {
        let client = address.client(&patience)?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            let source = object_store::Error::Generic { store: "runtime", source: Box::new(error) };
            AddressError::NotSetUp { text: address.to_string(), source }
        })?;
        Ok(Self { address: address.clone(), client, runtime, patience })
    }

    /// The address of a resource.
    #[must_use]
    pub fn resource(&self, path: &[&str]) -> Address {
        let own = self.address.path();
        self.address.with_path(own.iter().map(String::as_str).chain(path.iter().copied()))
    }

    /// Sends one request, without a retry.
    ///
    /// * `path`: the parts of the path below the address.
    /// * `query`: `name=value` pairs, encoded; may be empty.
    ///
    /// # Errors
    /// [`CallError`]; a response with any status is none.
    pub fn call(
        &self,
        method: HttpMethod<'_>,
        (path, query): (&[&str], &str),
        stopped: &dyn Fn() -> bool,
    ) -> Result<Response, CallError> {
        let address = self.resource(path).to_string();
        let failed = |source| CallError::NotReached { address: address.clone(), source };
        let request = request(method, &address, query).map_err(failed)?;
        let (runtime, silence) = (&self.runtime, self.patience.silence);
        let coming =
            async { read(self.client.execute(request).await.map_err(|error| deepest(&error))?).await };
        match waiting::response(runtime, silence, stopped, coming) {
            Ok(response) => response.map_err(failed),
            Err(NoResponse::Stopped) => Err(CallError::Stopped),
            Err(NoResponse::Silent) => Err(failed(silent(silence))),
        }
    }
}

fn request(method: HttpMethod<'_>, address: &str, query: &str) -> io::Result<HttpRequest> {
    let (name, kind, body) = match method {
        HttpMethod::Get => ("GET", None, HttpRequestBody::empty()),
        HttpMethod::PostJson(body) => ("POST", Some("application/json"), body.to_vec().into()),
        HttpMethod::PostBytes(body) => ("POST", Some("application/octet-stream"), body.to_vec().into()),
        HttpMethod::Delete => ("DELETE", None, HttpRequestBody::empty()),
    };
    let mut request = HttpRequest::new(body);
    let uri = if query.is_empty() { address.to_owned() } else { format!("{address}?{query}") };
    *request.method_mut() = name.try_into().map_err(io::Error::other)?;
    *request.uri_mut() = uri.try_into().map_err(io::Error::other)?;
    if let Some(kind) = kind {
        request.headers_mut().insert("content-type", kind.try_into().map_err(io::Error::other)?);
    }
    Ok(request)
}

async fn read(response: HttpResponse) -> io::Result<Response> {
    let status = response.status().as_u16();
    let retry_after = response.headers().get("retry-after").and_then(|text| text.to_str().ok()?.parse().ok());
    let mut pieces = response.into_body().bytes_stream();
    let mut body = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| deepest(&error))?;
        if body.len() + piece.len() > MOST_BYTES {
            return Err(io::Error::other(format!("a body of more than {MOST_BYTES} bytes")));
        }
        body.extend_from_slice(&piece);
    }
    Ok(Response { status, retry_after: retry_after.map(Duration::from_secs), body })
}
