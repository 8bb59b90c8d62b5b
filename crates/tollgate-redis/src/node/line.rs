//! The calls of one connection: each goes out at once while few are under way; the others wait in
//! line and go together, as one call of the script.

use std::collections::VecDeque;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use tokio::sync::oneshot;

use super::error::NodeError;
use super::round_trip::RoundTrip;
use crate::call::Call;

/// How many charges may be joined: so many that the server's costs of a call no longer count, and
/// so few that others wait for a few hundred microseconds at most.
const JOINED: usize = 64;
/// How many calls may wait, for a server that answers too slowly.
pub(super) const WAITING: usize = 16_384;

pub(super) struct Line {
    /// None once it is of no use, so that it is closed as soon as nobody uses it any longer.
    pub(super) commands: Option<MultiplexedConnection>,
    pub(super) round_trip: RoundTrip,
    /// How many answers have come.
    pub(super) answers: u64,
    waiting: VecDeque<Waiting>,
    under_way: usize,
}

/// A call that is to be sent.
pub(super) struct Waiting {
    pub(super) call: Call,
    pub(super) timeout: Duration,
    pub(super) answer: oneshot::Sender<Result<Vec<u64>, NodeError>>,
}

impl Line {
    pub(super) const fn new(
        commands: Option<MultiplexedConnection>,
        round_trip: RoundTrip,
    ) -> Self {
        Self {
            commands,
            round_trip,
            answers: 0,
            waiting: VecDeque::new(),
            under_way: 0,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= WAITING
    }

    /// Whether someone must lead, since fewer calls are under way than may be.
    pub(super) fn push(&mut self, waiting: Waiting) -> bool {
        self.waiting.push_back(waiting);
        let leads = self.under_way < self.round_trip.places();
        self.under_way += usize::from(leads);
        leads
    }

    /// The next calls to go together: those at the head of the line that may be joined. Without
    /// any, whoever asked leads no longer.
    pub(super) fn next(&mut self) -> Vec<Waiting> {
        let mut next: Vec<Waiting> = Vec::new();
        let mut weight = 0;
        let mut place = 0;
        while let Some(waiting) = self.waiting.get(place) {
            if waiting.answer.is_closed() {
                // Who asked has given up.
                self.waiting.remove(place);
                continue;
            }
            if let Some(first) = next.first() {
                if weight + waiting.call.weight() > JOINED {
                    break;
                }
                if !first.call.may_join(&waiting.call) {
                    place += 1;
                    continue;
                }
            }
            weight += waiting.call.weight();
            next.extend(self.waiting.remove(place));
        }
        if next.is_empty() {
            self.under_way -= 1;
        }
        next
    }

    /// Empties the line of a connection that is of no use.
    pub(super) fn close(&mut self) -> VecDeque<Waiting> {
        self.commands = None;
        std::mem::take(&mut self.waiting)
    }
}

impl Waiting {
    pub(super) fn fail(self, error: NodeError) {
        // Who asked may have given up.
        let _ = self.answer.send(Err(error));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Operation, Request, Time};
    use tollgate::Charge;
    use tollgate_testkit::given::limit;

    const TIME: Time = Time {
        now: None,
        slack_millis: 0,
        is_bounded: true,
    };

    fn call(charges: usize) -> Call {
        let limit = limit("10/h");
        let charges = vec![Charge::new(&limit, "k", 1); charges];
        let request = Request::deciding(Operation::Decide, "p", &charges);
        request.call(TIME).unwrap()
    }

    /// What goes together of `calls`, by their places.
    fn together(calls: Vec<Call>) -> Vec<Vec<usize>> {
        let mut line = Line::new(None, RoundTrip::default());
        let mut answers = Vec::new();
        for (place, call) in calls.into_iter().enumerate() {
            let (answer, receiver) = oneshot::channel();
            answers.push(receiver);
            let leads = line.push(Waiting {
                call,
                timeout: Duration::from_millis(u64::try_from(place).unwrap()),
                answer,
            });
            assert_eq!(leads, place < 2);
        }
        let place = |waiting: &Waiting| usize::try_from(waiting.timeout.as_millis()).unwrap();
        let mut together = Vec::new();
        loop {
            let next = line.next();
            if next.is_empty() {
                return together;
            }
            together.push(next.iter().map(place).collect());
        }
    }

    #[test]
    fn in_a_cluster_only_calls_of_one_slot_go_together() {
        let slots = [7, 8, 7, 8, 9, 7];
        let calls = slots.map(|slot| call(1).in_slot(slot)).to_vec();
        assert_eq!(together(calls), [vec![0, 2, 5], vec![1, 3], vec![4]]);
    }

    #[test]
    fn a_call_that_asks_goes_alone() {
        let calls = vec![call(1), call(1).asking(), call(1), call(1).asking()];
        assert_eq!(together(calls), [vec![0, 2], vec![1], vec![3]]);
    }

    #[test]
    fn charges_count_and_not_decisions() {
        let calls = vec![call(40), call(20), call(5), call(1), call(JOINED + 1)];
        assert_eq!(together(calls), [vec![0, 1], vec![2, 3], vec![4]]);
    }
}
