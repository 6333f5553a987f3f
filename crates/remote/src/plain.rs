//! Requests without TLS.

use std::error::Error;
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt as _;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector as Connector;
use hyper_util::rt::TokioExecutor;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
    HttpResponseBody, HttpService,
};

use crate::patience::Patience;

/// Connects by HTTP/1.1 only.
#[derive(Debug)]
pub(crate) struct Plain {
    connecting: Duration,
}

impl Plain {
    pub(crate) const fn new(patience: &Patience) -> Self {
        Self { connecting: patience.silence }
    }
}

impl HttpConnector for Plain {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut connector = Connector::new();
        connector.set_connect_timeout(Some(self.connecting));
        connector.set_nodelay(true);
        Ok(HttpClient::new(ConnectionPool(Client::builder(TokioExecutor::new()).build(connector))))
    }
}

/// A pool of connections.
#[derive(Debug)]
struct ConnectionPool(Client<Connector, HttpRequestBody>);

#[async_trait]
impl HttpService for ConnectionPool {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let response = self.0.request(request).await.map_err(broken)?;
        Ok(response.map(|body| HttpResponseBody::new(body.map_err(broken))))
    }
}

/// Any error of a connection; the caller decides whether to retry.
fn broken(error: impl Error + Send + Sync + 'static) -> HttpError {
    HttpError::new(HttpErrorKind::Request, error)
}
