//! A call that ends in time.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderMap, HeaderName, Request, Response};
use tokio::time::{Sleep, sleep};
use tonic::Status;
use tonic::body::Body;

use super::bounds;
use crate::memory::{Held, Kept};

/// How long the caller waits. The name is made once: to make it of a text takes longer than to look.
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// A call, which is answered by `DEADLINE_EXCEEDED` when the caller does not wait any longer, or
/// the message takes too long to arrive.
pub(super) struct Call<A> {
    answering: A,
    within: Duration,
    /// There is none until the call has to be waited for: most are answered at once.
    timer: Option<Pin<Box<Sleep>>>,
    /// Kept with the answer until that is sent.
    held: Option<Arc<Held>>,
}

impl<A> Call<A> {
    /// A call whose answer is made of the request.
    pub(super) fn to<B>(
        request: Request<B>,
        held: Arc<Held>,
        answer: impl FnOnce(Request<B>) -> A,
    ) -> Self {
        let within = time_of(request.headers());
        Self {
            held: Some(held),
            ..Self::within(within, answer(request))
        }
    }

    /// A call whose answer is there.
    pub(super) const fn answered(answering: A) -> Self {
        Self::within(bounds::CALL, answering)
    }

    const fn within(within: Duration, answering: A) -> Self {
        Self {
            answering,
            within,
            timer: None,
            held: None,
        }
    }
}

impl<A> Future for Call<A>
where
    A: Future<Output = Result<Response<Body>, Infallible>> + Unpin,
{
    type Output = Result<Response<Kept<Body>>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(answer) = Pin::new(&mut self.answering).poll(cx) {
            let held = self.held.take();
            return Poll::Ready(answer.map(|it| it.map(|body| Kept::new(body, held))));
        }
        let within = self.within;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(within)));
        if timer.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        let status = Status::deadline_exceeded(
            "there was no decision in time; let [store] timeout be shorter than the caller's, so \
             that policies say what happens then",
        );
        Poll::Ready(Ok(status.into_http().map(|body| Kept::new(body, None))))
    }
}

fn time_of(headers: &HeaderMap) -> Duration {
    let told = headers.get(TIMEOUT);
    let told = told.and_then(|timeout| parse(timeout.as_bytes()));
    told.map_or(bounds::CALL, |told| told.min(bounds::CALL))
}

/// Up to eight digits and a unit, as the protocol has it. What is neither is as if not there.
fn parse(timeout: &[u8]) -> Option<Duration> {
    let (unit, digits) = timeout.split_last()?;
    if digits.len() > 8 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some(match unit {
        b'H' => Duration::from_secs(number * 60 * 60),
        b'M' => Duration::from_secs(number * 60),
        b'S' => Duration::from_secs(number),
        b'm' => Duration::from_millis(number),
        b'u' => Duration::from_micros(number),
        b'n' => Duration::from_nanos(number),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;
    use crate::memory::Memory;

    #[test]
    fn timeouts_are_what_the_protocol_says() {
        for (text, expected) in [
            ("20m", Some(Duration::from_millis(20))),
            ("99999999H", Some(Duration::from_secs(99_999_999 * 3600))),
            ("1M", Some(Duration::from_secs(60))),
            ("0n", Some(Duration::ZERO)),
            ("7u", Some(Duration::from_micros(7))),
            ("5S", Some(Duration::from_secs(5))),
            ("", None),
            ("S", None),
            ("5", None),
            ("5s", None),
            ("-5S", None),
            ("123456789S", None),
        ] {
            assert_eq!(parse(text.as_bytes()), expected, "{text}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_is_not_answered_in_its_time_is_told_so() {
        for (timeout, expected) in [
            ("20m", Duration::from_millis(20)),
            ("1H", bounds::CALL),
            ("nonsense", bounds::CALL),
        ] {
            let request = Request::builder().header("grpc-timeout", timeout);
            let request = request.body(()).unwrap();
            let begin = Instant::now();
            let Ok(held) = Memory::new(0).portion().hold(request.headers()) else {
                panic!("a connection has enough of its own");
            };
            let Ok(answer) = Call::to(request, held, |_| std::future::pending()).await;
            assert_eq!(answer.headers()["grpc-status"], "4");
            // The timer counts whole milliseconds.
            let late = begin.elapsed().saturating_sub(expected);
            assert!(begin.elapsed() >= expected && late.as_millis() <= 1);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_can_be_answered_is_answered_however_short_its_time() {
        let at_once = std::future::ready(Ok(Status::ok("").into_http()));
        let Ok(answer) = Call::within(Duration::ZERO, at_once).await;
        assert_eq!(answer.headers()["grpc-status"], "0");
    }
}
