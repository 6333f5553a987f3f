//! The address of a folder of tables, as text.

use std::fmt;
use std::sync::Arc;

use object_store::client::{HttpClient, HttpConnector as _};
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore, RetryConfig};
use url::Url;

use crate::patience::Patience;
use crate::plain::Plain;

/// The schemes of addresses.
const SCHEMES: [&str; 5] = ["http", "https", "s3", "gs", "az"];

/// The address of a folder of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

/// Why an address cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// The text is not an address.
    #[error("{text}: expected an address that begins with {}, found {found}", expected())]
    Malformed {
        /// The text.
        text: String,
        /// The error in it.
        found: String,
    },
    /// This program supports only `http`.
    #[error(
        "{text}: this program was compiled without {scheme}; use a released program, or compile with \
         --features remote"
    )]
    NotCompiled {
        /// The text.
        text: String,
        /// Its scheme.
        scheme: String,
    },
    /// The client for the address cannot be set up.
    #[error("{text}: cannot connect; check the credentials and settings in the environment")]
    NotSetUp {
        /// The text.
        text: String,
        /// The cause.
        source: object_store::Error,
    },
}

fn expected() -> String {
    SCHEMES.map(|scheme| format!("{scheme}://")).join(", ")
}

impl Address {
    /// Parses an address.
    ///
    /// An address with a name or password is refused, because it would end up in messages and logs.
    ///
    /// # Errors
    /// The text is not a valid address, with the reason.
    pub fn read(text: &str) -> Result<Self, AddressError> {
        let malformed =
            |found: &str| AddressError::Malformed { text: text.to_owned(), found: found.to_owned() };
        let url = Url::parse(text).map_err(|error| malformed(&error.to_string()))?;
        if !SCHEMES.contains(&url.scheme()) {
            return Err(malformed(&format!("{}://", url.scheme())));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(malformed("no host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            let found = "a name or password in the address, which belong into the environment";
            // Without the text, which has the password.
            return Err(AddressError::Malformed {
                text: format!("{}://…", url.scheme()),
                found: found.to_owned(),
            });
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(malformed("`?` or `#`"));
        }
        Ok(Self(url))
    }

    /// Parses the address of a page: the address without its query and fragment, and the value of one parameter.
    ///
    /// * `key`: the name of the parameter.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn of_page(text: &str, key: &str) -> Result<(Self, Option<String>), AddressError> {
        let (page, _) = text.split_once('#').unwrap_or((text, ""));
        let (page, query) = page.split_once('?').unwrap_or((page, ""));
        let found = form_urlencoded(query).find_map(|(name, value)| (name == key).then_some(value));
        Ok((Self::read(page)?, found))
    }

    /// The parts of the path, decoded; without empty ones.
    #[must_use]
    pub fn path(&self) -> Vec<String> {
        let parts = self.0.path().split('/').filter(|part| !part.is_empty());
        let decoded = |part: &str| {
            let part = part.replace('&', "%26").replace('=', "%3D");
            form_urlencoded(&part).map(|(name, _)| name).collect()
        };
        parts.map(decoded).collect()
    }

    /// The address on the same server with this path.
    #[must_use]
    pub fn with_path<'p>(&self, parts: impl IntoIterator<Item = &'p str>) -> Self {
        let mut url = self.0.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.clear().extend(parts);
        }
        Self(url)
    }

    /// A client for requests to a service at the address.
    pub(crate) fn client(&self, patience: &Patience) -> Result<HttpClient, AddressError> {
        let not_set_up = |source| AddressError::NotSetUp { text: self.to_string(), source };
        match self.0.scheme() {
            "http" => Plain::new(patience).connect(&ClientOptions::new()).map_err(not_set_up),
            "https" => self.guarded_client(patience),
            scheme => {
                let found = format!("{scheme}://, which is no service");
                Err(AddressError::Malformed { text: self.to_string(), found })
            }
        }
    }

    #[cfg(not(feature = "everywhere"))]
    fn guarded_client(&self, _: &Patience) -> Result<HttpClient, AddressError> {
        let (text, scheme) = (self.to_string(), self.0.scheme().to_owned());
        Err(AddressError::NotCompiled { text, scheme })
    }

    #[cfg(feature = "everywhere")]
    fn guarded_client(&self, patience: &Patience) -> Result<HttpClient, AddressError> {
        use object_store::client::ReqwestConnector;

        // The first thread chooses the provider for the process; the choice is always the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = ReqwestConnector::default().connect(&client_options(patience));
        client.map_err(|source| AddressError::NotSetUp { text: self.to_string(), source })
    }

    /// A store for files at the address, and the path of the folder.
    pub(crate) fn open(&self, patience: &Patience) -> Result<(Arc<dyn ObjectStore>, Path), AddressError> {
        let not_set_up = |source| AddressError::NotSetUp { text: self.to_string(), source };
        let folder = Path::from_url_path(self.0.path()).map_err(|error| not_set_up(error.into()))?;
        let store: Arc<dyn ObjectStore> = match self.0.scheme() {
            "http" => Arc::new(self.plain(patience).build().map_err(not_set_up)?),
            _ => self.guarded(patience)?,
        };
        Ok((store, folder))
    }

    /// The server without the folder.
    fn server(&self) -> &str {
        &self.0[..url::Position::BeforePath]
    }

    fn plain(&self, patience: &Patience) -> HttpBuilder {
        HttpBuilder::new()
            .with_url(self.server())
            .with_http_connector(Plain::new(patience))
            .with_retry(no_retries())
    }

    #[cfg(not(feature = "everywhere"))]
    fn guarded(&self, _: &Patience) -> Result<Arc<dyn ObjectStore>, AddressError> {
        let (text, scheme) = (self.to_string(), self.0.scheme().to_owned());
        Err(AddressError::NotCompiled { text, scheme })
    }

    /// A store behind TLS, or in a bucket; credentials come from the environment, as for the tools of each cloud.
    #[cfg(feature = "everywhere")]
    fn guarded(&self, patience: &Patience) -> Result<Arc<dyn ObjectStore>, AddressError> {
        use object_store::aws::AmazonS3Builder;
        use object_store::azure::MicrosoftAzureBuilder;
        use object_store::gcp::GoogleCloudStorageBuilder;

        // The first thread chooses the provider for the process; the choice is always the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (text, retries) = (self.0.as_str(), no_retries());
        let options = client_options(patience);
        let built: object_store::Result<Arc<dyn ObjectStore>> = match self.0.scheme() {
            "s3" => {
                let builder = AmazonS3Builder::from_env().with_url(text).with_retry(retries);
                builder.build().map(|store| Arc::new(store) as _)
            }
            "gs" => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(text).with_retry(retries);
                builder.with_client_options(options).build().map(|store| Arc::new(store) as _)
            }
            "az" => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(text).with_retry(retries);
                builder.build().map(|store| Arc::new(store) as _)
            }
            _ => {
                let builder = HttpBuilder::new().with_url(self.server()).with_retry(retries);
                builder.with_client_options(options).build().map(|store| Arc::new(store) as _)
            }
        };
        built.map_err(|source| AddressError::NotSetUp { text: self.to_string(), source })
    }
}

/// The names and values of an encoded text.
fn form_urlencoded(text: &str) -> impl Iterator<Item = (String, String)> {
    // A plus sign stands for itself in these addresses.
    let text = text.replace('+', "%2B");
    let pairs: Vec<_> = url::form_urlencoded::parse(text.as_bytes()).into_owned().collect();
    pairs.into_iter()
}

/// The store does not retry: only [`Patience`] decides on retries.
fn no_retries() -> RetryConfig {
    RetryConfig { max_retries: 0, ..RetryConfig::default() }
}

#[cfg(feature = "everywhere")]
fn client_options(patience: &Patience) -> ClientOptions {
    // A large file may take any time; only silence counts.
    ClientOptions::new()
        .with_timeout_disabled()
        .with_connect_timeout(patience.silence)
        .with_read_timeout(patience.silence)
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_is_refused_with_what_was_expected() {
        let refused = |text: &str| Address::read(text).expect_err(text).to_string();
        assert!(
            refused("ftp://a/b").contains("expected an address that begins with http://, https://, s3://")
        );
        assert!(refused("http://").contains("expected an address"));
        assert!(refused("http://a/b?c=d").contains("`?` or `#`"));
        let secret = refused("https://somebody:sesame@a/b");
        assert!(secret.contains("belong into the environment") && !secret.contains("sesame"), "{secret}");
    }

    #[test]
    fn a_page_names_a_path_and_a_parameter() {
        let read = |text: &str| Address::of_page(text, "study").unwrap();
        let (address, study) = read("http://a:1/x/studies/?from=2&study=squeeze-7%3Ab#top");
        assert_eq!(
            (address.path(), study.as_deref()),
            (vec!["x".into(), "studies".into()], Some("squeeze-7:b"))
        );
        assert_eq!(address.with_path(["v1", "a/b"]).to_string(), "http://a:1/v1/a%2Fb");
        let (address, study) = read("http://a/v1/studies/squeeze-7%3Ab");
        assert_eq!((address.path().pop().as_deref(), study), (Some("squeeze-7:b"), None));
        assert!(Address::of_page("ftp://a/?study=b", "study").is_err());
    }

    #[cfg(not(feature = "everywhere"))]
    #[test]
    fn without_the_feature_other_schemes_say_which_program_has_them() {
        let address = Address::read("https://localhost/t/").unwrap();
        let refused = address.open(&Patience::default()).map(|_| ()).expect_err("no TLS").to_string();
        assert!(
            refused.contains("https://localhost/t: this program was compiled without https"),
            "{refused}"
        );
        assert!(refused.contains("--features remote"), "{refused}");
    }
}
