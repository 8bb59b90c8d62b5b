//! The same requests twice, in step.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::{Request, Requests};

/// So many requests go from one thread to the other at a time.
const BATCH: usize = 1_024;
/// So many batches wait for the other thread.
const WAITING: usize = 4;

/// Gives each request as two readings of the same logs have it.
///
/// # Errors
///
/// The error of either, of the first if both fail.
pub(super) fn for_each<A, B>(
    first: &mut A,
    second: &mut B,
    each: &mut dyn FnMut(&Request, &Request),
) -> Result<(), A::Error>
where
    A: Requests,
    B: Requests<Error = A::Error> + Send,
    A::Error: Send,
{
    let (sender, receiver) = sync_channel(WAITING);
    thread::scope(|scope| {
        let reading = scope.spawn(move || send_all(second, &sender));
        let mut others = Others::new(receiver);
        let read = first.for_each(&mut |request| {
            // They are the same, unless a reading was stopped at another place than the other one.
            if let Some(other) = others.next().filter(|other| other.at == request.at) {
                each(request, other);
            }
        });
        // If this one has failed, the other need not go on.
        drop(others);
        let other = reading.join().unwrap_or(Ok(()));
        read.and(other)
    })
}

fn send_all<R: Requests>(
    requests: &mut R,
    sender: &SyncSender<Vec<Request>>,
) -> Result<(), R::Error> {
    let mut batch = Vec::with_capacity(BATCH);
    requests.for_each(&mut |request| {
        batch.push(request.clone());
        if batch.len() == BATCH {
            let full = std::mem::replace(&mut batch, Vec::with_capacity(BATCH));
            // Nobody listens if the other reading has failed.
            let _ = sender.send(full);
        }
    })?;
    let _ = sender.send(batch);
    Ok(())
}

/// The requests that come from the other thread.
struct Others {
    receiver: Receiver<Vec<Request>>,
    batch: Vec<Request>,
    position: usize,
}

impl Others {
    const fn new(receiver: Receiver<Vec<Request>>) -> Self {
        Self {
            receiver,
            batch: Vec::new(),
            position: 0,
        }
    }

    fn next(&mut self) -> Option<&Request> {
        if self.position >= self.batch.len() {
            self.batch = self.receiver.recv().ok()?;
            self.position = 0;
        }
        self.position += 1;
        self.batch.get(self.position - 1)
    }
}
