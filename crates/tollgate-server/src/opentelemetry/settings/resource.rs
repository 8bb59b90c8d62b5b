//! Who exports.

use percent_encoding::percent_decode_str;

use super::OpenTelemetryError;
use super::variables::Variables;

const SERVICE_NAME: &str = "service.name";
const INSTANCE: &str = "service.instance.id";

/// The attributes of the process, by which a backend tells it from others.
#[derive(Clone, Debug)]
pub(in super::super) struct Resource(Vec<(String, String)>);

impl Resource {
    /// `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, and what they do not say: `tollgate`, its
    /// version, and an instance of its own, since two processes that say the same of themselves would
    /// seem one whose counters jump.
    pub(super) fn read(variables: &Variables<'_>) -> Result<Self, OpenTelemetryError> {
        let mut attributes = Vec::new();
        if let Some(said) = variables.get("OTEL_RESOURCE_ATTRIBUTES")? {
            let members = said.value.split(',').map(str::trim);
            for (position, member) in (1..).zip(members.filter(|it| !it.is_empty())) {
                let wrong = |problem: &str| {
                    said.wrong(format!(
                        "{problem} in its member {position}; write members like `name=value`, a comma \
                         between two, and in values a comma as `%2C`"
                    ))
                };
                let member = member.split_once('=');
                let (name, value) = member.ok_or_else(|| wrong("has no `=`"))?;
                let decoded = |text: &str| {
                    let text = percent_decode_str(text.trim()).decode_utf8();
                    text.map(String::from).map_err(|_| wrong("is not UTF-8"))
                };
                let name = decoded(name)?;
                if name.is_empty() {
                    return Err(wrong("has no name"));
                }
                set(&mut attributes, &name, decoded(value)?);
            }
        }
        if let Some(said) = variables.get("OTEL_SERVICE_NAME")? {
            set(&mut attributes, SERVICE_NAME, said.value);
        }
        for (name, value) in [
            (SERVICE_NAME, "tollgate".to_owned()),
            ("service.version", env!("CARGO_PKG_VERSION").to_owned()),
            (INSTANCE, instance()),
        ] {
            if !attributes.iter().any(|(it, _)| it == name) {
                attributes.push((name.to_owned(), value));
            }
        }
        Ok(Self(attributes))
    }

    pub(in super::super) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }
}

fn set(attributes: &mut Vec<(String, String)>, name: &str, value: String) {
    attributes.retain(|(it, _)| it != name);
    attributes.push((name.to_owned(), value));
}

/// A random UUID (RFC 9562, version 4).
fn instance() -> String {
    let random = fastrand::u128(..);
    let marked = random & !(0xf << 76 | 0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let digits = format!("{marked:032x}");
    let mut text = String::with_capacity(36);
    for (place, digit) in digits.chars().enumerate() {
        if matches!(place, 8 | 12 | 16 | 20) {
            text.push('-');
        }
        text.push(digit);
    }
    text
}
