//! A timer that is looked at often.

use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// A timer that is polled whenever its task is, and ends once in many times: the runtime is asked
/// only if it has rung, or if it has to wake another task than before.
pub(crate) struct Alarm {
    sleep: Pin<Box<Sleep>>,
    /// Whom the runtime wakes.
    waker: Option<Waker>,
}

impl Alarm {
    pub(crate) fn at(time: Instant) -> Self {
        Self {
            sleep: Box::pin(sleep_until(time)),
            waker: None,
        }
    }

    /// Sets it anew, from now on.
    pub(crate) fn set(&mut self, after: Duration) {
        self.sleep.as_mut().reset(Instant::now() + after);
        self.waker = None;
    }

    /// Ready if it rings.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let is_set = self
            .waker
            .as_ref()
            .is_some_and(|waker| waker.will_wake(cx.waker()));
        if is_set && !self.sleep.is_elapsed() {
            return Poll::Pending;
        }
        self.waker = Some(cx.waker().clone());
        ready!(self.sleep.as_mut().poll(cx));
        self.waker = None;
        Poll::Ready(())
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use tokio::time::advance;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn poll(alarm: &mut Alarm, task: &Arc<Woken>) -> Poll<()> {
        alarm.poll(&mut Context::from_waker(&Arc::clone(task).into()))
    }

    #[tokio::test(start_paused = true)]
    async fn rings_when_it_is_due_and_again_when_it_is_set() {
        let begun = Instant::now();
        let mut alarm = Alarm::at(begun + SECOND);
        for _ in 0..3 {
            poll_fn(|cx| alarm.poll(cx)).await;
            alarm.set(SECOND);
        }
        assert_eq!(begun.elapsed(), 3 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn wakes_whoever_has_looked_last() {
        let (first, last) = (Arc::<Woken>::default(), Arc::<Woken>::default());
        let mut alarm = Alarm::at(Instant::now() + SECOND);
        for task in [&first, &first, &last, &last] {
            assert!(poll(&mut alarm, task).is_pending());
        }
        advance(2 * SECOND).await;
        let woken = [&first, &last].map(|it| it.0.load(Ordering::Relaxed));
        assert_eq!(woken, [0, 1]);
        assert!(poll(&mut alarm, &last).is_ready());
    }
}
