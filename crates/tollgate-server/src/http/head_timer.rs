//! The end of connections whose request does not arrive.

use std::fmt::{self, Debug, Formatter};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

use crate::net::Alarm;

/// A timer of one connection of HTTP/1, which times one thing after the other: how long the head of
/// a request takes. Nearly every head arrives in time, and to set and drop a timer of the runtime
/// for each of them costs more than to decide the request. This one goes on ticking instead.
///
/// What is timed ends late, by up to two ticks, and never early.
#[derive(Clone)]
pub(super) struct HeadTimer {
    tick: Duration,
    /// All that is asked of it is said in relation to this.
    begin: Instant,
    /// Only the connection's task takes it.
    next: Arc<Mutex<Alarm>>,
}

impl HeadTimer {
    /// A timer that ticks so often.
    pub(super) fn new(tick: Duration) -> Self {
        let begin = tokio::time::Instant::now();
        Self {
            tick,
            begin: begin.into_std(),
            next: Arc::new(Mutex::new(Alarm::at(begin + tick))),
        }
    }

    /// How many ticks are to be waited for: one more than the time has, because the first may be due.
    fn ticks(&self, time: Duration) -> u32 {
        let ticks = time.as_nanos().div_ceil(self.tick.as_nanos().max(1)) + 1;
        u32::try_from(ticks).unwrap_or(u32::MAX)
    }

    /// Ready when a tick has passed since it last was, or since it was due.
    fn poll_tick(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let ticked = next.poll(cx);
        if ticked.is_ready() {
            next.set(self.tick);
        }
        ticked
    }
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        Box::pin(Ticks {
            left: self.ticks(duration),
            timer: self.clone(),
        })
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        self.sleep(deadline.saturating_duration_since(self.begin))
    }

    /// It stands still: whoever adds a time to it, and sleeps until then, sleeps for that time.
    fn now(&self) -> Instant {
        self.begin
    }
}

impl Debug for HeadTimer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeadTimer")
            .field("tick", &self.tick)
            .finish_non_exhaustive()
    }
}

/// What is timed.
struct Ticks {
    left: u32,
    timer: HeadTimer,
}

impl Future for Ticks {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        while self.left > 0 && self.timer.poll_tick(cx).is_ready() {
            self.left -= 1;
        }
        match self.left {
            0 => Poll::Ready(()),
            _ => Poll::Pending,
        }
    }
}

impl Sleep for Ticks {}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::time::{Instant, advance};

    use super::*;

    const TICK: Duration = Duration::from_secs(15);

    #[tokio::test(start_paused = true)]
    async fn ends_not_early_and_at_most_two_ticks_late() {
        let timer = HeadTimer::new(TICK);
        for (idle, time) in [
            (0, 120),
            (1, 120),
            (14, 120),
            (15, 120),
            (1_000, 120),
            (3, 1),
        ] {
            advance(Duration::from_secs(idle)).await;
            let (begin, time) = (Instant::now(), Duration::from_secs(time));
            timer.sleep_until(timer.now() + time).await;
            let took = begin.elapsed();
            assert!(took >= time, "{took:?} after {idle} s");
            assert!(took <= time + 2 * TICK, "{took:?} after {idle} s");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_thing_that_is_timed_has_its_whole_time() {
        let timer = HeadTimer::new(TICK);
        let time = Duration::from_secs(60);
        let mut first = timer.sleep_until(timer.now() + time);
        assert!(
            poll_fn(|cx| Poll::Ready(first.as_mut().poll(cx)))
                .await
                .is_pending()
        );
        advance(Duration::from_secs(59)).await;
        drop(first);
        let begin = Instant::now();
        timer.sleep_until(timer.now() + time).await;
        assert!(begin.elapsed() >= time);
    }
}
