//! A `RateLimitRequest`, borrowed from its bytes.

use smallvec::SmallVec;
use tonic::Status;

use super::fields::{Fields, Value};
use crate::grpc::bounds;
use crate::grpc::generated::{RateLimitDescriptor, RateLimitOverride, RateLimitRequest};

/// From how many descriptors or entries on a message is not read here. It is refused then.
const MANY: usize = 65;

/// What is asked.
#[derive(Debug, Default, PartialEq)]
pub(in crate::grpc) struct Request<'m> {
    pub(in crate::grpc) domain: &'m [u8],
    /// Most calls have one.
    pub(in crate::grpc) descriptors: SmallVec<[Descriptor<'m>; 1]>,
    pub(in crate::grpc) hits_addend: u32,
}

/// What is asked about.
#[derive(Debug, Default, PartialEq)]
pub(in crate::grpc) struct Descriptor<'m> {
    /// Keys and values.
    pub(in crate::grpc) entries: SmallVec<[(&'m [u8], &'m [u8]); 4]>,
    pub(in crate::grpc) limit: Option<RateLimitOverride>,
    pub(in crate::grpc) hits_addend: Option<u64>,
    pub(in crate::grpc) is_negative_hits: bool,
}

impl<'m> Request<'m> {
    /// Reads a message that is as messages are. `None` says nothing of what is wrong, nor that
    /// anything is: the general decoder knows that, and takes what has fields that we do not know.
    pub(in crate::grpc) fn read(message: &'m [u8]) -> Option<Self> {
        let mut request = Self::default();
        for field in Fields(message) {
            match field? {
                (1, Value::Bytes(domain)) => request.domain = domain,
                (2, Value::Bytes(descriptor)) if request.descriptors.len() < MANY => {
                    request.descriptors.push(Descriptor::read(descriptor)?);
                }
                (3, Value::Number(hits)) => request.hits_addend = hits.try_into().ok()?,
                _ => return None,
            }
        }
        Some(request)
    }

    /// What the general decoder has read.
    pub(in crate::grpc) fn of(message: &'m RateLimitRequest) -> Self {
        Self {
            domain: &message.domain,
            descriptors: message.descriptors.iter().map(Descriptor::of).collect(),
            hits_addend: message.hits_addend,
        }
    }
}

/// From how many bytes on parts are counted before the general decoder takes a message apart: it makes
/// room for each part, and of a part of two bytes that is dozens.
const LARGE: usize = 64 << 10;

/// Checks that a message is small, or has no more parts than it may, so that taking it apart needs
/// little more memory than it has bytes.
///
/// # Errors
///
/// It has more, or they cannot be counted.
pub(in crate::grpc) fn check_parts(message: &[u8]) -> Result<(), Status> {
    if message.len() <= LARGE {
        return Ok(());
    }
    let malformed = || Status::invalid_argument("the message is long, and cannot be read");
    let mut descriptors = 0;
    for field in Fields(message) {
        if let (2, Value::Bytes(descriptor)) = field.ok_or_else(malformed)? {
            let entries = Fields(descriptor).filter(|it| matches!(it, Some((1, _))));
            bounds::check_entries(descriptors, entries.count())?;
            if Fields(descriptor).any(|it| it.is_none()) {
                return Err(malformed());
            }
            descriptors += 1;
        }
    }
    bounds::check_descriptors(descriptors)
}

impl<'m> Descriptor<'m> {
    fn read(message: &'m [u8]) -> Option<Self> {
        let mut descriptor = Self::default();
        for field in Fields(message) {
            match field? {
                (1, Value::Bytes(entry)) if descriptor.entries.len() < MANY => {
                    descriptor.entries.push(read_entry(entry)?);
                }
                // One that comes twice would have to be put together.
                (2, Value::Bytes(limit)) if descriptor.limit.is_none() => {
                    descriptor.limit = Some(read_limit(limit)?);
                }
                (3, Value::Bytes(hits)) if descriptor.hits_addend.is_none() => {
                    descriptor.hits_addend = Some(read_hits(hits)?);
                }
                (4, Value::Number(flag)) => descriptor.is_negative_hits = flag != 0,
                _ => return None,
            }
        }
        Some(descriptor)
    }

    /// What the general decoder has read.
    pub(in crate::grpc) fn of(message: &'m RateLimitDescriptor) -> Self {
        let entries = message.entries.iter();
        Self {
            entries: entries.map(|it| (&*it.key, &*it.value)).collect(),
            limit: message.limit,
            hits_addend: message.hits_addend,
            is_negative_hits: message.is_negative_hits,
        }
    }
}

fn read_entry(message: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut key, mut value): (&[u8], &[u8]) = (&[], &[]);
    for field in Fields(message) {
        match field? {
            (1, Value::Bytes(bytes)) => key = bytes,
            (2, Value::Bytes(bytes)) => value = bytes,
            _ => return None,
        }
    }
    Some((key, value))
}

fn read_limit(message: &[u8]) -> Option<RateLimitOverride> {
    let mut limit = RateLimitOverride::default();
    for field in Fields(message) {
        match field? {
            (1, Value::Number(units)) => limit.requests_per_unit = units.try_into().ok()?,
            (2, Value::Number(unit)) => limit.unit = unit.try_into().ok()?,
            _ => return None,
        }
    }
    Some(limit)
}

/// The number in a `UInt64Value`.
fn read_hits(message: &[u8]) -> Option<u64> {
    let mut hits = 0;
    for field in Fields(message) {
        match field? {
            (1, Value::Number(number)) => hits = number,
            _ => return None,
        }
    }
    Some(hits)
}

#[cfg(test)]
mod tests;
