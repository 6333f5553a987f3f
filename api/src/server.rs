//! The server from its start to its end.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::middleware::Compress;
use actix_web::web::Data;
use actix_web::{App, HttpServer, rt};
use marquis_engine::{Engine, Progress};
use tokio::sync::oneshot;

use crate::config::Config;
use crate::handlers::configure;
use crate::startup::{self, ServeError};
use crate::state::AppState;
use crate::tables_watch::Watch;

/// Seconds that connections get to finish when the service stops.
const GRACE: u64 = 5;
/// How often the stop flag is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Runs the service until `stop` becomes true.
///
/// A first start without tables builds the starter set. From the start on health is answered, everything else
/// as soon as the tables are open; then `listening on http://ADDRESS` is printed on standard output.
///
/// * `progress`: is told how far the building of the starter set is.
/// * Result: returned within ten seconds after `stop` became true.
///
/// # Errors
/// A setting out of range, an address that is taken, tables that cannot be built.
pub fn serve(
    config: Config,
    stop: &'static AtomicBool,
    progress: impl Fn(&Progress) + Send + Sync + 'static,
) -> Result<(), ServeError> {
    config.check()?;
    rt::System::new().block_on(run(config, stop, progress))
}

async fn run(
    config: Config,
    stop: &'static AtomicBool,
    progress: impl Fn(&Progress) + Send + Sync + 'static,
) -> Result<(), ServeError> {
    let state = Data::new(AppState::starting(config.clone())?);
    let (server, addresses) = bind(&config.bind, &state)?;
    let handle = server.handle();
    let mut serving = rt::spawn(server);
    let opened = open_aside(config.clone(), stop, progress);
    let failed = match opened.await {
        Ok(Ok(Some(engine))) => {
            state.open(engine);
            announce(&addresses);
            None
        }
        Ok(Ok(None)) => None,
        Ok(Err(error)) => Some(ServeError::from(error)),
        Err(_) => Some(ServeError::Server(std::io::Error::other("the opening of the tables broke off"))),
    };
    let mut watch = Watch::new(&config.tables);
    while failed.is_none() && !stop.load(Ordering::Relaxed) {
        if serving.is_finished() {
            break;
        }
        rt::time::sleep(LOOK).await;
        if watch.has_changed(&config.tables).await {
            let state = state.clone();
            // A fault of the program while tables are opened must not end the service.
            let _ = actix_web::web::block(move || state.rescan()).await;
        }
    }
    state.stop();
    handle.stop(true).await;
    match (failed, (&mut serving).await) {
        (Some(error), _) => Err(error),
        (None, Ok(ended)) => Ok(ended?),
        (None, Err(broken)) => Err(ServeError::Server(std::io::Error::other(broken))),
    }
}

fn bind(address: &str, state: &Data<AppState>) -> Result<(Server, Vec<SocketAddr>), ServeError> {
    let state = state.clone();
    let server = HttpServer::new(move || {
        let state = state.clone();
        App::new().wrap(Compress::default()).configure(move |cfg| configure(cfg, state))
    });
    let failed = |source| ServeError::Bind { bind: address.to_owned(), source };
    let server = server.disable_signals().shutdown_timeout(GRACE).bind(address).map_err(failed)?;
    let addresses = server.addrs();
    Ok((server.run(), addresses))
}

/// Opens the tables on a thread of its own, so that health is answered meanwhile.
fn open_aside(
    config: Config,
    stop: &'static AtomicBool,
    progress: impl Fn(&Progress) + Send + Sync + 'static,
) -> oneshot::Receiver<Result<Option<Engine>, marquis_engine::EngineError>> {
    let (sender, opened) = oneshot::channel();
    std::thread::spawn(move || {
        // Nobody waits any more only when the service has ended.
        let _ = sender.send(startup::open(&config, stop, &progress));
    });
    opened
}

fn announce(addresses: &[SocketAddr]) {
    let mut out = std::io::stdout().lock();
    for address in addresses {
        tracing::info!(%address, "listening");
        // A closed standard output is no reason not to serve.
        let _ = writeln!(out, "listening on http://{address}").and_then(|()| out.flush());
    }
}
