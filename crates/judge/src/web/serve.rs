//! Listening and answering: the loop that takes connections, and what each of
//! them may cost.

use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::crowd::{Crowd, Doing, Seat};
use super::gate::Busy;
use super::patience::{Paced, Patience};
use super::place::Place;
use super::unsent::{self, Held, Unsent, Weight};
use super::visitor;
use crate::log;

/// What all connections together and each of them may use.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub connections: usize,
    /// Of one address, or one /64; a whole classroom may share it.
    pub of_place: usize,
    /// The time for the head of a request, and between requests.
    pub head: Duration,
    /// With whoever does not read an answer.
    pub reading: Patience,
    /// Bytes of answers that wait to be read, in all and of one place.
    pub unsent: usize,
    pub unsent_of_place: usize,
    /// Whether every connection is a proxy's.
    pub behind_proxy: bool,
}

/// The largest head of a request.
const LARGEST_HEAD: usize = 64 << 10;
/// The time that answers under way have when the site is told to stop.
pub const LAST_ANSWERS: Duration = Duration::from_secs(2);
/// Files that the database, the store and the workers use.
const OTHER_FILES: usize = 256;
const MOST_CONNECTIONS: usize = 4096;

impl Bounds {
    /// What fits into a number of open files.
    pub fn of_files(files: usize, behind_proxy: bool) -> Bounds {
        let connections = files.saturating_sub(OTHER_FILES).max(files / 2).min(MOST_CONNECTIONS);
        Bounds {
            connections,
            of_place: connections / 4,
            head: Duration::from_secs(20),
            reading: Patience::new(Duration::from_secs(30), 1 << 10),
            unsent: 256 << 20,
            unsent_of_place: 64 << 20,
            behind_proxy,
        }
    }

    /// How many of the connections may follow verifications.
    pub fn listeners(&self) -> usize {
        (self.connections / 2).min(1000)
    }
}

/// Lets this process open as many files as the system allows, and says how many.
pub fn raise_file_limit() -> usize {
    let raised = rlimit::increase_nofile_limit(u64::MAX);
    raised.map_or(1024, |files| usize::try_from(files).unwrap_or(usize::MAX))
}

/// Answers until it is told to stop.
pub async fn serve(listener: TcpListener, app: Router, bounds: Bounds, stop: impl Future<Output = ()>) {
    let crowd = Crowd::new(bounds.connections, bounds.of_place);
    let unsent = Unsent::new(bounds.unsent, bounds.unsent_of_place);
    let (stopping, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut complaint = Complaint::default();
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            biased;
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let place = (!bounds.behind_proxy).then(|| Place::of(peer.ip()));
                    if let Some(seat) = crowd.enter(place) {
                        let connection = Connection { peer, bounds, seat: Arc::new(seat), unsent: unsent.clone() };
                        connections.spawn(connection.answer(stream, app.clone(), stopped.clone()));
                    }
                }
                // Whoever was waiting has gone.
                Err(error) if is_theirs(&error) => {}
                Err(error) => {
                    complaint.make(&error);
                    crowd.make_room(16);
                    // It would fail again at once, for as long as there are no files.
                    sleep(Duration::from_millis(50)).await;
                }
            },
        }
    }
    drop(listener);
    // Nobody listens if there is no connection.
    let _ = stopping.send(true);
    // Pages that follow a verification would keep the site up for minutes.
    let _ = timeout(LAST_ANSWERS, async { while connections.join_next().await.is_some() {} }).await;
}

fn is_theirs(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Says that connections cannot be taken, once a minute.
#[derive(Default)]
struct Complaint(Option<Instant>);

impl Complaint {
    fn make(&mut self, error: &io::Error) {
        if self.0.is_none_or(|last| last.elapsed() > Duration::from_secs(60)) {
            self.0 = Some(Instant::now());
            log::error(&format!("cannot take connections: {error}"));
        }
    }
}

/// One connection, from its first request to its last.
struct Connection {
    peer: SocketAddr,
    bounds: Bounds,
    seat: Arc<Seat>,
    unsent: Arc<Unsent>,
}

impl Connection {
    async fn answer(self, stream: TcpStream, app: Router, mut stopped: watch::Receiver<bool>) {
        // Answers are written whole; a system that cannot do this only delays them.
        let _ = stream.set_nodelay(true);
        let app = TowerToHyperService::new(app);
        let service = service_fn(|request| self.respond(&app, request));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.bounds.head)
            .max_buf_size(LARGEST_HEAD)
            .serve_connection(TokioIo::new(Paced::new(stream, self.bounds.reading)), service);
        let mut connection = pin!(connection);
        tokio::select! {
            // However it ends, nobody is left who could be told.
            _ = connection.as_mut() => return,
            () = self.seat.asked_to_leave() => return,
            _ = stopped.wait_for(|stopped| *stopped) => {}
        }
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }

    async fn respond(
        &self,
        app: &TowerToHyperService<Router>,
        mut request: Request<Incoming>,
    ) -> Result<Response<Watched<Body>>, std::convert::Infallible> {
        if head_bytes(&request) > LARGEST_HEAD {
            let text = format!("The head of this request is larger than {} KiB.\n", LARGEST_HEAD >> 10);
            let response = plain(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, text.into());
            return Ok(response.map(|body| self.watched(body, None, Doing::Nothing)));
        }
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let address = visitor::address(self.bounds.behind_proxy, request.headers(), Some(self.peer));
        let is_whole = request.body().is_end_stream();
        self.seat.now(if is_whole { Doing::Working } else { Doing::Sending });
        let request = request.map(|body| match is_whole {
            true => Body::empty(),
            false => Body::new(self.watched(body, None, Doing::Working)),
        });
        let mut response = app.call(request).await?;
        let is_stream = |kind: &HeaderValue| kind.as_bytes().starts_with(b"text/event-stream");
        let listens = response.headers().get(header::CONTENT_TYPE).is_some_and(is_stream);
        self.seat.now(if listens { Doing::Listening } else { Doing::Reading });
        let told = usize::try_from(response.body().size_hint().lower()).unwrap_or(usize::MAX);
        let bytes = response.extensions().get::<Weight>().map_or(told, |weight| weight.0.max(told));
        let held = self.unsent.hold(Place::of_text(&address), bytes, self.seat.leave()).unwrap_or_else(|Busy| {
            response = no_room();
            None
        });
        Ok(response.map(|body| self.watched(body, held.map(Arc::new), Doing::Nothing)))
    }

    fn watched<B>(&self, body: B, held: Option<Arc<Held>>, after: Doing) -> Watched<B> {
        Watched { body, held, seat: self.seat.clone(), after }
    }
}

/// The bytes of a head as it was sent, about. The buffer of a connection bounds
/// it too, but may be filled once more after it is full.
fn head_bytes<B>(request: &Request<B>) -> usize {
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    let headers = request.headers().iter();
    let lines = headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    request.method().as_str().len() + path + "  HTTP/1.1\r\n\r\n".len() + lines.sum::<usize>()
}

/// What is answered while too many do not read what they have asked for.
fn no_room() -> Response<Body> {
    let text = Body::from("Too many answers wait to be read: come again in a moment.\n");
    let mut response = plain(StatusCode::SERVICE_UNAVAILABLE, text);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

fn plain(status: StatusCode, text: Body) -> Response<Body> {
    let mut response = Response::new(text);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// A body that tells what its connection does once the body is over.
struct Watched<B> {
    body: B,
    held: Option<Arc<Held>>,
    seat: Arc<Seat>,
    after: Doing,
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Watched<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(cx));
        let count = |bytes| match &self.held {
            Some(held) => unsent::counted(bytes, held),
            None => bytes,
        };
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(count))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for Watched<B> {
    fn drop(&mut self) {
        self.seat.now(self.after);
    }
}
