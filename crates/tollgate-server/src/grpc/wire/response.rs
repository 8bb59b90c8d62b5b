//! A `RateLimitResponse`, written field by field in the order of their numbers.

use super::writer::Writer;
use crate::grpc::generated::Code;

/// An answer that is being written. Call the methods in their order here.
pub(in crate::grpc) struct Response(Writer);

/// The status of a descriptor.
#[derive(Clone, Debug)]
pub(in crate::grpc) struct Status<'d> {
    pub(in crate::grpc) code: Code,
    pub(in crate::grpc) current_limit: Option<CurrentLimit<'d>>,
    pub(in crate::grpc) limit_remaining: u32,
    /// In whole seconds.
    pub(in crate::grpc) until_reset: Option<u64>,
}

/// A limit. Its name is that of its policy, and if it is not the first there, `NAME/2` and so on.
#[derive(Clone, Debug)]
pub(in crate::grpc) struct CurrentLimit<'d> {
    pub(in crate::grpc) policy: &'d str,
    pub(in crate::grpc) number: usize,
    pub(in crate::grpc) requests_per_unit: u32,
    /// The number of the unit, which is none below zero.
    pub(in crate::grpc) unit: u32,
}

/// The members of the metadata, a `google.protobuf.Struct`. Write them in the order of their names.
pub(in crate::grpc) struct Metadata<'w>(&'w mut Writer);

impl Response {
    pub(in crate::grpc) fn new(overall: Code) -> Self {
        let mut writer = Writer::new();
        writer.number(1, number_of(overall));
        Self(writer)
    }

    pub(in crate::grpc) fn status(&mut self, status: &Status<'_>) {
        self.0.nested(2, |writer| {
            writer.number(1, number_of(status.code));
            if let Some(limit) = &status.current_limit {
                writer.nested(2, |writer| limit.write(writer));
            }
            writer.number(3, status.limit_remaining.into());
            if let Some(seconds) = status.until_reset {
                writer.nested(4, |writer| writer.number(1, seconds));
            }
        });
    }

    /// A field that the proxy is to add to the response.
    pub(in crate::grpc) fn header(&mut self, name: &str, value: &str) {
        self.0.nested(3, |writer| {
            writer.bytes(1, name.as_bytes());
            writer.bytes(2, value.as_bytes());
        });
    }

    pub(in crate::grpc) fn raw_body(&mut self, body: &[u8]) {
        self.0.bytes(5, body);
    }

    pub(in crate::grpc) fn metadata(&mut self, write: impl FnOnce(&mut Metadata<'_>)) {
        self.0.nested(6, |writer| write(&mut Metadata(writer)));
    }

    /// The message with the prefix of five bytes that messages of gRPC have.
    pub(in crate::grpc) fn finish(self) -> Vec<u8> {
        self.0.finish()
    }
}

impl CurrentLimit<'_> {
    fn write(&self, writer: &mut Writer) {
        writer.number(1, self.requests_per_unit.into());
        writer.number(2, self.unit.into());
        if self.number > 1 {
            writer.nested(3, |writer| {
                writer.raw(self.policy.as_bytes());
                writer.raw(b"/");
                writer.raw(itoa::Buffer::new().format(self.number).as_bytes());
            });
        } else {
            writer.bytes(3, self.policy.as_bytes());
        }
    }
}

impl Metadata<'_> {
    pub(in crate::grpc) fn text(&mut self, name: &str, text: &str) {
        self.member(name, |value| value.bytes_always(3, text.as_bytes()));
    }

    pub(in crate::grpc) fn number(&mut self, name: &str, number: u32) {
        self.member(name, |value| value.double_always(2, number.into()));
    }

    pub(in crate::grpc) fn flag(&mut self, name: &str, flag: bool) {
        self.member(name, |value| value.number_always(4, flag.into()));
    }

    pub(in crate::grpc) fn texts<'t>(
        &mut self,
        name: &str,
        texts: impl IntoIterator<Item = &'t str>,
    ) {
        self.member(name, |value| {
            value.nested(6, |list| {
                for text in texts {
                    list.nested(1, |value| value.bytes_always(3, text.as_bytes()));
                }
            });
        });
    }

    fn member(&mut self, name: &str, value: impl FnOnce(&mut Writer)) {
        self.0.nested(1, |entry| {
            entry.bytes(1, name.as_bytes());
            entry.nested(2, value);
        });
    }
}

/// The number of a code, which is none below zero.
const fn number_of(code: Code) -> u64 {
    match code {
        Code::Unknown => 0,
        Code::Ok => 1,
        Code::OverLimit => 2,
    }
}

#[cfg(test)]
mod tests;
