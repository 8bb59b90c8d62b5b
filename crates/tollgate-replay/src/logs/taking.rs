//! What becomes of the requests of all logs.

use tollgate::Micros;
use tollgate_policy::NoAddress;

use crate::batch::Batch;
use crate::client::Clients;
use crate::log::{Record, TimeBasis};
use crate::report::InputReport;
use crate::wanted::Wanted;

/// Takes requests from what their lines say into batches, and counts what a report tells of all.
pub(super) struct Taking<'r> {
    clients: &'r mut Clients,
    wanted: &'r Wanted,
    counts: Counts,
    seen: Vec<bool>,
}

impl<'r> Taking<'r> {
    pub(super) fn new(clients: &'r mut Clients, wanted: &'r Wanted) -> Self {
        Self {
            clients,
            seen: vec![false; wanted.names().len()],
            wanted,
            counts: Counts::default(),
        }
    }

    /// Takes the request of a line: the place of its log, and its number there.
    pub(super) fn push(
        &mut self,
        (place, line): (usize, u64),
        record: &Record<'_>,
        batch: &mut Batch,
    ) {
        let number = u32::try_from(place).unwrap_or(u32::MAX);
        let client = self.clients.find(record);
        self.counts.count(record, client.err());
        batch.push((number, line), record, client, self.wanted, &mut self.seen);
    }

    /// What a report tells of all requests, without the logs.
    pub(super) fn report(&self) -> InputReport {
        InputReport {
            resolution: super::resolution(Micros::new(self.counts.coarsest)),
            timed_by_start: self.counts.by_start,
            timed_by_end_less_duration: self.counts.by_end_less_duration,
            timed_by_end: self.counts.by_end,
            named_clients: self.clients.named_requests(),
            no_client: self.counts.no_client(),
            ..InputReport::default()
        }
    }

    /// Which of the attributes that are wanted some request had.
    pub(super) fn into_seen(self) -> Vec<bool> {
        self.seen
    }
}

/// What is counted of all requests.
#[derive(Default)]
struct Counts {
    by_start: u64,
    by_end_less_duration: u64,
    by_end: u64,
    coarsest: u64,
    no_client: Vec<(NoAddress, u64)>,
}

impl Counts {
    fn count(&mut self, record: &Record<'_>, no_client: Option<NoAddress>) {
        match record.basis {
            TimeBasis::Start => self.by_start += 1,
            TimeBasis::EndLessDuration => self.by_end_less_duration += 1,
            TimeBasis::End => self.by_end += 1,
        }
        self.coarsest = self.coarsest.max(record.resolution.as_micros());
        if let Some(why) = no_client {
            match self.no_client.iter_mut().find(|(known, _)| *known == why) {
                Some((_, count)) => *count += 1,
                None => self.no_client.push((why, 1)),
            }
        }
    }

    fn no_client(&self) -> Vec<(String, u64)> {
        let counts = self.no_client.iter();
        let mut counts: Vec<(String, u64)> = counts
            .map(|(why, count)| (why.as_str().to_owned(), *count))
            .collect();
        counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        counts
    }
}
