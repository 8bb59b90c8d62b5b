//! The connections through a proxy.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the client to the server.
    Requests,
    /// From the server to the client.
    Replies,
}

/// All connections, and what is done to them.
#[derive(Debug, Default)]
pub(super) struct Links {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    held: Option<Direction>,
    delay: Duration,
    accepted: usize,
    joined: usize,
    /// Both ends of those that are open, by their numbers.
    open: Vec<(usize, [TcpStream; 2])>,
}

impl State {
    fn is_open(&self, number: usize) -> bool {
        self.open.iter().any(|(open, _)| *open == number)
    }
}

impl Links {
    /// Joins two ends, each way by a thread, until either closes or the link is cut.
    pub(super) fn add(links: &Arc<Self>, client: &TcpStream, server: &TcpStream) -> io::Result<()> {
        for end in [client, server] {
            end.set_nodelay(true)?;
        }
        let requests = (client.try_clone()?, server.try_clone()?);
        let replies = (server.try_clone()?, client.try_clone()?);
        let ends = [client.try_clone()?, server.try_clone()?];
        let number = {
            let mut state = links.state();
            state.joined += 1;
            let number = state.joined;
            state.open.push((number, ends));
            number
        };
        for (direction, (from, to)) in [
            (Direction::Requests, requests),
            (Direction::Replies, replies),
        ] {
            let links = Arc::clone(links);
            thread::spawn(move || {
                // However it ends, the link is closed.
                let _ = links.carry(number, direction, from, to);
                links.close(|open| open == number);
            });
        }
        Ok(())
    }

    pub(super) fn hold(&self, direction: Option<Direction>) {
        self.state().held = direction;
        self.changed.notify_all();
    }

    pub(super) fn delay(&self, delay: Duration) {
        self.state().delay = delay;
    }

    pub(super) fn cut(&self) {
        self.close(|_| true);
    }

    /// Counts a client, before it is known whether its server is there.
    pub(super) fn count(&self) {
        self.state().accepted += 1;
    }

    pub(super) fn accepted(&self) -> usize {
        self.state().accepted
    }

    pub(super) fn open(&self) -> usize {
        self.state().open.len()
    }

    fn carry(
        &self,
        number: usize,
        direction: Direction,
        mut from: TcpStream,
        mut to: TcpStream,
    ) -> io::Result<()> {
        let mut piece = [0; 16 * 1024];
        loop {
            let length = from.read(&mut piece)?;
            if length == 0 {
                return Ok(());
            }
            if direction == Direction::Requests {
                self.wait_for_delay(number);
            }
            if !self.may_go_on(number, direction) {
                return Ok(());
            }
            to.write_all(&piece[..length])?;
        }
    }

    /// Waits for as long as the delay is, unless the link is cut.
    fn wait_for_delay(&self, number: usize) {
        let state = self.state();
        let delay = state.delay;
        let waited = self
            .changed
            .wait_timeout_while(state, delay, |state| state.is_open(number));
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits while this direction is held. False if the link was cut.
    fn may_go_on(&self, number: usize, direction: Direction) -> bool {
        let state = self
            .changed
            .wait_while(self.state(), |state| {
                state.held == Some(direction) && state.is_open(number)
            })
            .unwrap_or_else(PoisonError::into_inner);
        state.is_open(number)
    }

    /// Closes both ends of the links of these numbers.
    fn close(&self, of: impl Fn(usize) -> bool) {
        self.state().open.retain(|(number, ends)| {
            if of(*number) {
                for end in ends {
                    // The other side may have closed it.
                    let _ = end.shutdown(Shutdown::Both);
                }
            }
            !of(*number)
        });
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
