//! How long an answer is waited for.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::task::yield_now;

/// Through how many tasks an answer goes on its way from the network to its caller, and some more.
const HANDS: usize = 8;

/// The output of a future, if it has one in time; `None` if it has none.
///
/// Where the process stood still for a while, the answer and the end of the time are noticed together,
/// and whoever hands the answer on may have yet to run: that is waited for.
pub(super) async fn in_time<F: Future>(timeout: Duration, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    if let Ok(output) = tokio::time::timeout(timeout, future.as_mut()).await {
        return Some(output);
    }
    for _ in 0..HANDS {
        yield_now().await;
        let polled = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await;
        if let Poll::Ready(output) = polled {
            return Some(output);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_comes_as_the_time_ends_is_one() {
        let timeout = Duration::from_millis(100);
        let (sender, answer) = oneshot::channel();
        tokio::spawn(async move {
            tokio::time::sleep(timeout).await;
            sender.send(7)
        });
        assert_eq!(in_time(timeout, answer).await, Some(Ok(7)));
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_waited_for_without_end() {
        let never = std::future::pending::<()>();
        assert_eq!(in_time(Duration::from_millis(100), never).await, None);
    }
}
