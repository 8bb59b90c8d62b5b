//! What is remembered from line to line.

use tollgate::Micros;

use super::recent::{Origin, Recent};
use crate::log::TimeZone;
use crate::log::time::text::{Dates, Moment};

/// What is remembered from line to line of one file.
#[derive(Debug)]
pub(crate) struct JsonState {
    pub(crate) dates: Dates,
    /// The finest unit of the times so far. Programs leave out zeros at the end of fractions, so that
    /// single times look coarser than they are.
    finest: Micros,
    /// Caddy's durations are nanoseconds, as one of them showed that is too long for milliseconds.
    pub(crate) caddy_nanoseconds: bool,
    /// Requests that have an identifier.
    pub(crate) recent: Recent,
    /// The line that is being read.
    pub(crate) origin: Origin,
}

impl JsonState {
    pub(crate) fn new(time_zone: Option<TimeZone>, recent: Recent) -> Self {
        Self {
            dates: Dates::with_zone(time_zone),
            finest: Micros::new(u64::MAX),
            caddy_nanoseconds: false,
            recent,
            origin: Origin::default(),
        }
    }

    /// The unit of the times of requests, of which this is one.
    pub(crate) fn resolution(&mut self, moment: Moment) -> Micros {
        self.finest = self.finest.min(moment.resolution);
        self.finest
    }
}
