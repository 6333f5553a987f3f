//! The lifecycle of the server.

use std::io::Write as _;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use actix_http::error::DispatchError;
use actix_http::{HttpService, KeepAlive, Protocol};
use actix_server::Server;
use actix_service::{
    IntoServiceFactory as _, ServiceFactory, ServiceFactoryExt as _, fn_service, map_config,
};
use actix_web::dev::AppConfig;
use actix_web::middleware::Compress;
use actix_web::rt::net::TcpStream;
use actix_web::web::Data;
use actix_web::{App, rt};
use marquis_engine::{Control, EngineError, Progress, Registry};
use marquis_table::FarFolder;
use tokio::sync::{oneshot, watch};

use crate::config::Config;
use crate::connection::Connection;
use crate::handlers::configure;
use crate::startup::{self, ServeError};
use crate::state::AppState;
use crate::tables_watch::TablesWatch;

/// Seconds for connections to finish when the service stops.
const GRACE: u64 = 5;
/// How long a connection may be idle before a request, and how long the head of a request may take.
const SILENCE: Duration = Duration::from_secs(5);
/// How long to wait for the end of a connection.
const GOODBYE: Duration = Duration::from_secs(1);
/// How often jobs that nobody asks about are cancelled.
const TIDY: Duration = Duration::from_secs(1);
/// How often the stop flag is checked.
const LOOK: Duration = Duration::from_millis(50);

/// Runs the service until `stop` becomes true.
///
/// Health is answered from the start, everything else as soon as the tables are open. A first start without tables
/// also builds the starter set: until it is complete, requests that may need its tables are refused, and the rest is
/// answered. Then `listening on http://ADDRESS` is printed on standard output.
///
/// * `registry`: the available games.
/// * `elsewhere`: the remote tables at the addresses in the settings; until they are reached for the first time,
///   everything but liveness is refused.
/// * `progress`: receives the progress of building the starter set.
/// * Returns within ten seconds after `stop` became true.
///
/// # Errors
/// A setting out of range, an address that is in use, tables that cannot be built.
pub fn serve(
    registry: Registry,
    config: Config,
    elsewhere: Vec<Arc<FarFolder>>,
    stop: &'static AtomicBool,
    progress: impl Fn(&Progress) + Send + Sync + 'static,
) -> Result<(), ServeError> {
    config.check()?;
    rt::System::new().block_on(run(registry, config, elsewhere, stop, progress))
}

async fn run(
    registry: Registry,
    config: Config,
    elsewhere: Vec<Arc<FarFolder>>,
    stop: &'static AtomicBool,
    progress: impl Fn(&Progress) + Send + Sync + 'static,
) -> Result<(), ServeError> {
    let state = Data::new(AppState::starting(registry.clone(), config.clone())?);
    let (end, ending) = watch::channel(false);
    let (server, addresses) = bind(&state.config().bind, &state, &ending)?;
    let handle = server.handle();
    let mut serving = rt::spawn(server);
    let has_elsewhere = !elsewhere.is_empty();
    let opening = state.clone();
    let opened =
        open_aside(move || open_and_build(&opening, (&registry, &config), &elsewhere, stop, &progress));
    let failed = match opened.await {
        Ok(Ok(OpenedTables::Ready)) => {
            if has_elsewhere {
                look_elsewhere(&state);
            }
            announce(&addresses);
            None
        }
        Ok(Ok(OpenedTables::Stopped)) => None,
        Ok(Err(error)) => Some(ServeError::from(error)),
        Err(_) => Some(ServeError::Server(std::io::Error::other("opening the tables failed"))),
    };
    let folders = state.config().folders();
    let mut watch = TablesWatch::new(&folders);
    let mut tidied = Instant::now();
    while failed.is_none() && !stop.load(Ordering::Relaxed) {
        if serving.is_finished() {
            break;
        }
        rt::time::sleep(LOOK).await;
        if tidied.elapsed() > TIDY {
            tidied = Instant::now();
            let state = state.clone();
            rt::spawn(async move { state.tidy().await });
        }
        if watch.has_changed(&folders).await {
            let state = state.clone();
            // A panic while tables are opened must not end the service.
            let _ = actix_web::web::block(move || state.rescan()).await;
        }
    }
    state.stop();
    end.send_replace(true);
    handle.stop(true).await;
    match (failed, (&mut serving).await) {
        (Some(error), _) => Err(error),
        (None, Ok(ended)) => Ok(ended?),
        (None, Err(broken)) => Err(ServeError::Server(std::io::Error::other(broken))),
    }
}

/// Binds the server to every address that the text resolves to; returns it with these addresses.
///
/// * `ending`: true once connections have to close after their current request.
fn bind(
    address: &str,
    state: &Data<AppState>,
    ending: &watch::Receiver<bool>,
) -> Result<(Server, Vec<SocketAddr>), ServeError> {
    let failed = |source| ServeError::Bind { bind: address.to_owned(), source };
    let mut server = Server::build().disable_signals().shutdown_timeout(GRACE);
    let mut addresses = Vec::new();
    for address in address.to_socket_addrs().map_err(failed)? {
        let listener = TcpListener::bind(address).map_err(failed)?;
        addresses.push(listener.local_addr().map_err(failed)?);
        let (state, ending) = (state.clone(), ending.clone());
        let talk = move || talk(state.clone(), ending.clone());
        server = server.listen(format!("marquis-{address}"), listener, talk).map_err(failed)?;
    }
    Ok((server.run(), addresses))
}

/// Serves a connection.
fn talk(
    state: Data<AppState>,
    ending: watch::Receiver<bool>,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), Error = DispatchError, InitError = ()> {
    let (patience, unsent) = (state.config().write_patience(), Arc::clone(state.room().unsent()));
    let app = App::new().wrap(Compress::default()).configure(move |cfg| configure(cfg, state));
    let app = app.into_factory().map_err(|error: actix_web::Error| error.error_response());
    let ended = move || {
        let mut ending = ending.clone();
        async move {
            // The sender is dropped only when the service has ended.
            let _ = ending.wait_for(|ending| *ending).await;
        }
    };
    let http = HttpService::build()
        .keep_alive(KeepAlive::Timeout(SILENCE))
        .client_request_timeout(SILENCE)
        .client_disconnect_timeout(GOODBYE)
        .h1_allow_half_closed(false)
        .graceful_shutdown_signal(ended)
        .finish(map_config(app, |()| AppConfig::default()));
    let accept = move |stream: TcpStream| {
        let peer = stream.peer_addr().ok();
        let connection = Connection::new(stream, patience, Arc::clone(&unsent));
        async move { Ok((connection, Protocol::Http1, peer)) }
    };
    fn_service(accept).and_then(http)
}

/// The result of opening the tables.
enum OpenedTables {
    Ready,
    /// The service has to stop.
    Stopped,
}

/// Opens the tables, and builds the starter set if there are none.
fn open_and_build(
    state: &AppState,
    (registry, config): (&Registry, &Config),
    elsewhere: &[Arc<FarFolder>],
    stop: &AtomicBool,
    progress: &(impl Fn(&Progress) + Send + Sync),
) -> Result<OpenedTables, EngineError> {
    let wait_for = |address: &str| state.wait_for(address);
    let Some(engine) = startup::open(registry, config, elsewhere, stop, &wait_for)? else {
        return Ok(OpenedTables::Stopped);
    };
    let Some(home) = startup::lacks_starter(&engine, config) else {
        state.open(engine);
        return Ok(OpenedTables::Ready);
    };
    state.open_before_built(engine);
    match startup::build_starter(registry, home, config, &Control::new(stop, progress)) {
        Err(EngineError::Interrupted) => return Ok(OpenedTables::Stopped),
        built => built?,
    }
    state.built();
    Ok(OpenedTables::Ready)
}

/// Opens the tables on a separate thread, so that health is answered meanwhile.
fn open_aside(
    open: impl FnOnce() -> Result<OpenedTables, EngineError> + Send + 'static,
) -> oneshot::Receiver<Result<OpenedTables, EngineError>> {
    let (sender, opened) = oneshot::channel();
    std::thread::spawn(move || {
        // The receiver is dropped only when the service has ended.
        let _ = sender.send(open());
    });
    opened
}

/// Polls the remote tables on a separate thread, which may wait long for them and outlive the service.
fn look_elsewhere(state: &Data<AppState>) {
    let state = Arc::downgrade(&state.clone().into_inner());
    std::thread::spawn(move || {
        let mut looked = Instant::now();
        loop {
            std::thread::sleep(LOOK);
            let Some(state) = state.upgrade().filter(|state| !state.is_stopping()) else { return };
            if looked.elapsed() >= state.until_next_look() {
                // A panic while tables are opened must not end the polling.
                let _ = catch_unwind(AssertUnwindSafe(|| state.look_elsewhere()));
                looked = Instant::now();
            }
        }
    });
}

fn announce(addresses: &[SocketAddr]) {
    let mut out = std::io::stdout().lock();
    for address in addresses {
        tracing::info!(%address, "listening");
        // If standard output is closed, the service still runs.
        let _ = writeln!(out, "listening on http://{address}").and_then(|()| out.flush());
    }
}
