//! Futures that have nothing to wait for.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The output of a future that is ready at its first poll, as those of an in-process store are.
///
/// # Panics
///
/// If the future is not ready.
pub fn poll_now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits for something; run it in a runtime"),
    }
}
