//! What programs read of a request. Times are exact seconds; what is not said is null.

mod policy;
mod request;
mod response;

use serde::Serialize;
use serde_json::value::RawValue;
use tollgate::{Micros, Timestamp};

use super::Explained;
use crate::seconds::Seconds;
use policy::{Rule, rules};
use request::{Client, Value, client, values};
use response::{Response, response};

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    /// When the request comes, since the Unix epoch.
    at: Box<RawValue>,
    /// How many requests like it come before.
    after: u32,
    client: Client<'a>,
    attributes: Vec<Value>,
    policies: Vec<Rule<'a>>,
    response: Response<'a>,
}

/// A line about a request.
pub(super) fn line(name: &str, at: Timestamp, explained: &Explained<'_>) -> anyhow::Result<String> {
    let mut line = Ok(String::new());
    let subject = explained.subject;
    subject.with_attributes(explained.limiter, |attributes| {
        line = (|| {
            let report = Report {
                file: name,
                at: seconds(Micros::new(at.as_micros()))?,
                after: explained.after,
                client: client(explained, attributes),
                attributes: values(explained.file, attributes),
                policies: rules(explained, attributes)?,
                response: response(explained),
            };
            Ok(serde_json::to_string(&report)? + "\n")
        })();
    });
    line
}

/// A time, which no float would hold.
fn seconds(time: Micros) -> serde_json::Result<Box<RawValue>> {
    RawValue::from_string(Seconds(time).to_string())
}
