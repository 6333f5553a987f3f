//! Limits per client, so that no client starves the others.
//!
//! Look-ups are limited by a rate, if one is set; searches and jobs by the number that a client has under way.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use actix_web::dev::RequestHead;
use dashmap::DashMap;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::config::Config;
use crate::problem::Problem;

/// Addresses without recent requests are dropped from the rate limiter once per this many requests.
const TIDY: u32 = 4096;

/// A client by its address; for IPv6 by its network, because a household can use any number of addresses in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(IpAddr);

impl Client {
    /// * `behind_proxy`: whether the last entry of `X-Forwarded-For` names the client, not the connection.
    fn of(head: &RequestHead, behind_proxy: bool) -> Self {
        let named = || {
            let entries = head.headers().get("x-forwarded-for")?.to_str().ok()?;
            entries.rsplit(',').next()?.trim().parse().ok()
        };
        let connected = || head.peer_addr.map(|address| address.ip());
        let named = if behind_proxy { named() } else { None };
        Self(match named.or_else(connected).unwrap_or(Ipv4Addr::UNSPECIFIED.into()).to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            short @ IpAddr::V4(_) => short,
        })
    }
}

/// Work that occupies a thread for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Undertaking {
    Search,
    Job,
    Batch,
}

type OpenJobs = DashMap<(Client, Undertaking), usize, foldhash::fast::RandomState>;

/// The work that all clients have under way.
pub(crate) struct Clients {
    rate: Option<DefaultKeyedRateLimiter<Client>>,
    asked: AtomicU32,
    open: Arc<OpenJobs>,
    most_searches: usize,
    most_jobs: usize,
    most_batches: usize,
    behind_proxy: bool,
}

impl Clients {
    pub(crate) fn new(config: &Config) -> Self {
        let rate = NonZeroU32::new(config.client_rate).map(|rate| {
            let burst = NonZeroU32::new(config.client_burst).unwrap_or(rate);
            RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst))
        });
        Self {
            rate,
            asked: AtomicU32::new(0),
            open: Arc::default(),
            most_searches: config.client_searches,
            most_jobs: config.client_jobs,
            most_batches: config.client_batches,
            behind_proxy: config.behind_proxy,
        }
    }

    pub(crate) fn of(&self, head: &RequestHead) -> Client {
        Client::of(head, self.behind_proxy)
    }

    /// Admits a request.
    ///
    /// # Errors
    /// 429 if the client exceeds its rate.
    pub(crate) fn admit(&self, head: &RequestHead) -> Result<(), Problem> {
        let Some(rate) = &self.rate else { return Ok(()) };
        if self.asked.fetch_add(1, Ordering::Relaxed) % TIDY == TIDY - 1 {
            rate.retain_recent();
        }
        rate.check_key(&self.of(head)).map_err(|_| Problem::too_many_requests())
    }

    /// The right to have one more piece of work under way, until it is dropped.
    ///
    /// # Errors
    /// 429 if the client has reached its limit.
    pub(crate) fn begin(&self, client: Client, undertaking: Undertaking) -> Result<Permit, Problem> {
        let most = match undertaking {
            Undertaking::Search => self.most_searches,
            Undertaking::Job => self.most_jobs,
            Undertaking::Batch => self.most_batches,
        };
        let mut open = self.open.entry((client, undertaking)).or_default();
        if *open >= most {
            return Err(Problem::too_much_under_way(most));
        }
        *open += 1;
        Ok(Permit { open: Arc::clone(&self.open), held: (client, undertaking) })
    }
}

/// A client's piece of work that is under way.
pub(crate) struct Permit {
    open: Arc<OpenJobs>,
    held: (Client, Undertaking),
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.open.remove_if_mut(&self.held, |_, open| {
            *open -= 1;
            *open == 0
        });
    }
}
