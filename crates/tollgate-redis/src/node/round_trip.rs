//! How far a server is, and so how many calls may be on their way to it.

use std::time::Duration;

use tokio::time::Instant;

/// With two, one is on its way while the server runs another.
const LEAST: usize = 2;
/// So many that those who come meanwhile wait for a millisecond or so even for a server on another
/// continent, and so few that what is held for one connection is bounded.
pub(super) const MOST: usize = 64;
/// How long to wait for a place if all are taken one after the other: as long as for a server
/// nearby.
const APART: Duration = Duration::from_micros(500);
/// How long the shortest round trip counts: longer than a server is kept busy without a pause.
const WINDOW: Duration = Duration::from_secs(10);
/// A server to which it takes so long to connect is far.
const FAR: Duration = Duration::from_millis(50);
/// More round trips than it takes to connect.
const TRIPS_TO_CONNECT: u32 = 4;

/// The shortest recent round trip. Not their mean: that a busy server answers late is no reason to
/// send it more calls with less in each.
#[derive(Debug, Default)]
pub(super) struct RoundTrip {
    /// The shortest since this instant.
    now: Option<(Instant, Duration)>,
    /// The shortest in the window before.
    before: Option<Duration>,
}

impl RoundTrip {
    /// What is known when it has taken so long to connect.
    pub(super) fn connected_within(time: Duration) -> Self {
        let mut this = Self::default();
        if time >= FAR {
            this.took(time / TRIPS_TO_CONNECT);
        }
        this
    }

    /// A call has been answered after this time.
    pub(super) fn took(&mut self, time: Duration) {
        let now = Instant::now();
        self.now = match self.now {
            Some((start, shortest)) if now.duration_since(start) < WINDOW => {
                Some((start, shortest.min(time)))
            }
            last => {
                self.before = last.map(|(_, shortest)| shortest);
                Some((now, time))
            }
        };
    }

    /// How many calls may be under way.
    pub(super) fn places(&self) -> usize {
        let now = self.now.map(|(_, shortest)| shortest);
        let shortest = now.into_iter().chain(self.before).min();
        let more = shortest.unwrap_or_default().as_micros() / APART.as_micros();
        usize::try_from(more)
            .unwrap_or(MOST)
            .saturating_add(LEAST)
            .min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_far_away_gets_more_calls_at_a_time_than_one_nearby() {
        let mut near = RoundTrip::default();
        assert_eq!(near.places(), 2);
        near.took(Duration::from_micros(300));
        assert_eq!(near.places(), 2);
        for (time, places) in [(1, 4), (10, 22), (60, 64), (60_000, 64)] {
            let mut far = RoundTrip::default();
            far.took(millis(time));
            assert_eq!(far.places(), places, "{time} ms");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_is_kept_busy_is_not_taken_for_one_far_away() {
        let mut busy = RoundTrip::default();
        for _ in 0..100 {
            busy.took(Duration::from_micros(200));
            for _ in 0..9 {
                busy.took(millis(20));
                assert_eq!(busy.places(), 2);
                tokio::time::advance(millis(1_000)).await;
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_way_that_has_become_longer_is_noticed_in_a_while() {
        let mut moved = RoundTrip::default();
        moved.took(millis(1));
        for _ in 0..3 {
            tokio::time::advance(WINDOW).await;
            moved.took(millis(10));
        }
        assert_eq!(moved.places(), 22);
    }

    /// Else the calls that come before the first answer would wait for twice the round trip.
    #[tokio::test(start_paused = true)]
    async fn a_server_is_known_to_be_far_by_the_time_it_took_to_connect() {
        assert_eq!(RoundTrip::connected_within(millis(120)).places(), 62);
        assert_eq!(RoundTrip::connected_within(millis(10)).places(), 2);
    }
}
