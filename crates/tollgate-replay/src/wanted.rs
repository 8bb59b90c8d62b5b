//! The attributes that policies look at, and where a record has them.

use std::borrow::Cow;

use tollgate_policy::{AttributeName, Mode, PolicySet, query_value};

use crate::log::Record;

/// The attributes that somebody looks at, each once, without the client's address, which every
/// request has a place for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted(Vec<AttributeName>);

impl Wanted {
    pub(crate) fn new(names: impl IntoIterator<Item = AttributeName>) -> Self {
        let mut names: Vec<AttributeName> = names
            .into_iter()
            .filter(|name| *name != AttributeName::ClientIp)
            .collect();
        names.sort_unstable();
        names.dedup();
        Self(names)
    }

    /// Those of all policies that are not off.
    pub(crate) fn by(policies: &PolicySet) -> Self {
        let policies = policies.policies().iter();
        let on = policies.filter(|policy| policy.mode() != Mode::Off);
        Self::new(on.flat_map(|policy| policy.attributes()).cloned())
    }

    pub(crate) fn names(&self) -> &[AttributeName] {
        &self.0
    }
}

/// The value that a record has of an attribute.
pub(crate) fn value<'r>(record: &'r Record<'_>, name: &AttributeName) -> Option<Cow<'r, str>> {
    let borrowed = |value: &'r Option<Cow<'_, str>>| value.as_deref().map(Cow::Borrowed);
    match name {
        AttributeName::Method => borrowed(&record.method),
        AttributeName::Path => borrowed(&record.path),
        AttributeName::Host => borrowed(&record.host),
        AttributeName::Route => borrowed(&record.route),
        AttributeName::Header(header) => match &**header {
            "user-agent" => borrowed(&record.user_agent),
            "referer" => borrowed(&record.referer),
            "host" => borrowed(&record.host),
            "x-forwarded-for" => borrowed(&record.forwarded_for),
            _ => None,
        }
        .or_else(|| other(record, |name| name.strip_prefix("header.") == Some(header))),
        AttributeName::Query(parameter) => query_value(record.query.as_deref()?, parameter),
        AttributeName::Other(name) => {
            let user = borrowed(&record.user).filter(|_| &**name == "user");
            user.or_else(|| other(record, |known| known == &**name))
        }
        _ => None,
    }
}

fn other<'r>(record: &'r Record<'_>, is: impl Fn(&str) -> bool) -> Option<Cow<'r, str>> {
    // The last one counts, as in a field map whose later entries replace earlier ones.
    let mut others = record.others.iter().rev();
    others
        .find(|(name, _)| is(name))
        .map(|(_, value)| Cow::Borrowed(&**value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::TimeBasis;
    use tollgate::{Micros, Timestamp};
    use tollgate_policy::Policy;

    #[test]
    fn is_found_where_the_record_has_it() {
        let mut record = Record::at(Timestamp::EPOCH, TimeBasis::Start, Micros::SECOND);
        record.method = Some("GET".into());
        record.path = Some("/a".into());
        record.query = Some("page=1&x=a+b&page=%32".into());
        record.host = Some("example.net".into());
        record.user = Some("alice".into());
        record.route = Some("web".into());
        record.user_agent = Some("curl".into());
        record.forwarded_for = Some("198.51.100.7".into());
        record.others = vec![
            ("header.x-plan".into(), "free".into()),
            ("header.x-plan".into(), "pro".into()),
            ("user.plan".into(), "gold".into()),
        ];
        for (name, expected) in [
            ("method", Some("GET")),
            ("path", Some("/a")),
            ("query.page", Some("1, 2")),
            ("query.x", Some("a b")),
            ("query.y", None),
            ("host", Some("example.net")),
            ("header.host", Some("example.net")),
            ("user", Some("alice")),
            ("route", Some("web")),
            ("header.user-agent", Some("curl")),
            ("header.referer", None),
            ("header.x-forwarded-for", Some("198.51.100.7")),
            ("header.x-plan", Some("pro")),
            ("user.plan", Some("gold")),
            ("header.user.plan", None),
        ] {
            let value = value(&record, &name.parse().unwrap());
            assert_eq!(value.as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn is_what_policies_look_at_unless_they_are_off() {
        let limit = || "1/s".parse().unwrap();
        let on = Policy::builder("on")
            .path("/a")
            .key("user or client.ip")
            .limit(limit());
        let off = Policy::builder("off")
            .method(["GET"])
            .shared()
            .limit(limit())
            .mode(Mode::Off);
        let set = PolicySet::new([on.build().unwrap(), off.build().unwrap()]).unwrap();
        let wanted = Wanted::by(&set);
        assert_eq!(
            wanted.names(),
            [AttributeName::Path, AttributeName::Other("user".into())]
        );
    }
}
