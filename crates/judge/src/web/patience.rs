//! How long a transfer is waited for: in all, and for each byte.
//!
//! A limit of time alone lets one byte now and then hold a connection; a rate
//! alone cuts whoever pauses for a moment. So waiting uses up patience, and
//! bytes that move give it back, up to what it was at first.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, timeout};

#[derive(Clone, Copy, Debug)]
pub struct Patience {
    most: Duration,
    left: Duration,
    bytes_per_second: u32,
}

impl Patience {
    pub const fn new(most: Duration, bytes_per_second: u32) -> Patience {
        Patience { most, left: most, bytes_per_second }
    }

    pub fn left(&self) -> Duration {
        self.left
    }

    pub fn waited(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }

    pub fn moved(&mut self, bytes: usize) {
        let gained = Duration::from_secs_f64(bytes as f64 / f64::from(self.bytes_per_second));
        self.left = self.left.saturating_add(gained).min(self.most);
    }
}

/// What a body may take: patience, and a time in all.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub patience: Patience,
    pub in_all: Duration,
}

/// The error of a body that came too slowly.
#[derive(Clone, Copy, Debug)]
pub struct TooSlow;

impl std::fmt::Display for TooSlow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the body came too slowly")
    }
}

impl std::error::Error for TooSlow {}

/// A request's body that ends with an error when it comes too slowly.
pub fn paced(body: Body, pace: Pace) -> Body {
    struct Reading {
        stream: BodyDataStream,
        patience: Patience,
        ends: Instant,
    }
    let start =
        Reading { stream: body.into_data_stream(), patience: pace.patience, ends: Instant::now() + pace.in_all };
    Body::from_stream(stream::unfold(Some(start), |reading| async move {
        let mut reading = reading?;
        let begun = Instant::now();
        let most = reading.patience.left().min(reading.ends.saturating_duration_since(begun));
        match timeout(most, reading.stream.next()).await {
            Ok(Some(Ok(chunk))) => {
                reading.patience.waited(begun.elapsed());
                reading.patience.moved(chunk.len());
                Some((Ok::<Bytes, axum::BoxError>(chunk), Some(reading)))
            }
            Ok(Some(Err(error))) => Some((Err(error.into()), None)),
            Ok(None) => None,
            Err(_) => Some((Err(TooSlow.into()), None)),
        }
    }))
}

/// A connection whose other end must read what it is sent.
#[derive(Debug)]
pub struct Paced {
    stream: TcpStream,
    patience: Patience,
    /// Since when nothing can be written, and when that is too long.
    stuck: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Paced {
    pub fn new(stream: TcpStream, patience: Patience) -> Paced {
        Paced { stream, patience, stuck: None }
    }

    fn judge(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let Poll::Ready(written) = written else {
            let left = self.patience.left();
            let (_, end) = self.stuck.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
            ready!(end.as_mut().poll(cx));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        };
        if let Some((since, _)) = self.stuck.take() {
            self.patience.waited(since.elapsed());
        }
        if let Ok(bytes) = &written {
            self.patience.moved(*bytes);
        }
        Poll::Ready(written)
    }
}

impl AsyncRead for Paced {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Paced {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.judge(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.judge(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_give_back_what_waiting_used_up() {
        let mut patience = Patience::new(Duration::from_secs(10), 1000);
        patience.waited(Duration::from_secs(4));
        patience.moved(3000);
        assert_eq!(patience.left(), Duration::from_secs(9));
        patience.moved(1_000_000);
        assert_eq!(patience.left(), Duration::from_secs(10), "never more than at first");
        for _ in 0..100 {
            patience.waited(Duration::from_secs(1));
            patience.moved(1000);
        }
        assert_eq!(patience.left(), Duration::from_secs(10), "the slowest that is patient enough goes on for ever");
        for _ in 0..20 {
            patience.waited(Duration::from_secs(1));
            patience.moved(500);
        }
        assert_eq!(patience.left(), Duration::from_millis(500));
        patience.waited(Duration::from_secs(1));
        assert_eq!(patience.left(), Duration::ZERO);
    }

    #[tokio::test]
    async fn bodies_without_end_are_cut() {
        let patience = Patience::new(Duration::from_millis(50), 1000);
        let (short, long) = (Duration::from_millis(50), Duration::from_secs(3600));
        let cases = [("silent", 3_600_000, 1, long), ("slow", 5, 1, long), ("long", 1, 100_000, short)];
        for (name, every_ms, size, in_all) in cases {
            let parts = stream::unfold((), move |()| async move {
                sleep(Duration::from_millis(every_ms)).await;
                Some((Ok::<_, io::Error>(Bytes::from(vec![0; size])), ()))
            });
            let mut body = paced(Body::from_stream(parts), Pace { patience, in_all }).into_data_stream();
            while let Some(Ok(_)) = body.next().await {}
            assert!(body.next().await.is_none(), "{name}");
        }
        let whole = paced(Body::from("a whole body"), Pace { patience, in_all: long });
        assert_eq!(axum::body::to_bytes(whole, 100).await.unwrap(), "a whole body");
    }
}
