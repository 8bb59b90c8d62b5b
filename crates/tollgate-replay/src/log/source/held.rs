//! A request that waits for the lines behind it.

use super::Findings;
use crate::log::wrapper::Wrapper;
use crate::log::{Form, Record, Reject};

/// So much of a line is kept as an example, in bytes: no example shows more.
const EXAMPLE: usize = 1024;

/// A request of which it is not known yet whether its time can be right.
#[derive(Debug)]
pub(super) struct Held {
    number: u64,
    line: Vec<u8>,
    record: Box<Record<'static>>,
    wrapper: Wrapper,
    form: Form,
}

impl Held {
    pub(super) fn new(
        number: u64,
        line: &[u8],
        record: Record<'_>,
        wrapper: Wrapper,
        form: Form,
    ) -> Self {
        Self {
            number,
            line: line.get(..EXAMPLE).unwrap_or(line).to_vec(),
            record: Box::new(record.into_owned()),
            wrapper,
            form,
        }
    }

    /// Gives the request, or rejects it.
    pub(super) fn give(
        self,
        is_in_place: bool,
        findings: &mut Findings,
        each: &mut impl FnMut(u64, &Record<'_>),
    ) {
        if is_in_place {
            findings.request(self.wrapper, self.form);
            each(self.number, &self.record);
        } else {
            findings.reject(self.number, &self.line, Reject::OutOfPlace);
        }
    }
}
