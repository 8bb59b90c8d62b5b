//! Why a policy does not concern a request.

use std::borrow::Cow;

use super::Policy;
use crate::condition::{Facts, FailedTest, Forms};
use crate::{AttributeName, Attributes, Mode, When};

/// Why a policy does not concern a request: see [`Policy::mismatch`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch<'p> {
    /// It is off.
    Off,
    /// A test fails: the first, in the order in which they are written.
    Test {
        /// The attribute that is tested.
        attribute: &'p AttributeName,
        /// The values that it may have.
        patterns: &'p [String],
        /// The value that the request has, in the form in which it is compared; none if the request
        /// lacks the attribute. A path has [two forms](crate::normalize_path) if it has dot
        /// segments or empty segments, of which the normal one is first.
        values: Vec<String>,
    },
    /// The request meets an exception: the first that it meets.
    Exception(&'p When),
}

impl Policy {
    /// Why a request is none of those that the policy is for; `None` if it is one of them. For
    /// people: a decision finds out faster.
    pub fn mismatch<A: Attributes + ?Sized>(&self, request: &A) -> Option<Mismatch<'_>> {
        if self.mode == Mode::Off {
            return Some(Mismatch::Off);
        }
        let facts = Facts::new(request);
        if let Some(FailedTest {
            position,
            attribute,
        }) = self.condition.failed_test(&facts, Forms::Any)
        {
            let (_, patterns) = self.when.tests().nth(position)?;
            return Some(Mismatch::Test {
                attribute,
                patterns,
                values: values(&facts, attribute),
            });
        }
        let exception = self
            .exceptions
            .iter()
            .find(|(_, condition)| condition.matches(&facts, Forms::All));
        exception.map(|(when, _)| Mismatch::Exception(when))
    }

    /// Every attribute that the policy looks at, each once: in its tests, exceptions and tiers, in
    /// its key, and for its cost.
    #[must_use]
    pub fn attributes(&self) -> Vec<&AttributeName> {
        let exceptions = self.exceptions.iter().map(|(_, condition)| condition);
        let tiers = self.tiers.iter().map(|tier| &tier.condition);
        let conditions = std::iter::once(&self.condition)
            .chain(exceptions)
            .chain(tiers);
        let mut names: Vec<&AttributeName> = conditions
            .flat_map(|condition| condition.attributes())
            .chain(self.key().iter().flat_map(|part| part.alternatives()))
            .chain(self.cost.attribute())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The forms in which a value is compared.
fn values<A: Attributes + ?Sized>(facts: &Facts<'_, A>, attribute: &AttributeName) -> Vec<String> {
    match attribute {
        AttributeName::ClientIp => {
            let client = facts.client();
            client
                .iter()
                .map(|client| client.ip().to_string())
                .collect()
        }
        AttributeName::Path => facts.path().map_or_else(Vec::new, |forms| {
            let served = forms.served.as_deref().map(|served| match served {
                "" => "/".to_owned(),
                served => served.to_owned(),
            });
            std::iter::once(forms.normal.clone().into_owned())
                .chain(served)
                .chain(forms.lenient.clone())
                .collect()
        }),
        _ => facts
            .value(attribute)
            .map(Cow::into_owned)
            .into_iter()
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AttributeMap, Cost, PolicyBuilder};

    fn policy() -> PolicyBuilder {
        Policy::builder("api")
            .method(["GET", "HEAD"])
            .path(["/places/**", "/reviews/**"])
            .except("client.ip", "192.0.2.0/24")
            .key("user or client.ip")
            .limit("60/min".parse().unwrap())
    }

    fn request(method: &str, path: &str, client: &str) -> AttributeMap {
        AttributeMap::new()
            .with(AttributeName::Method, method)
            .with(AttributeName::Path, path)
            .with(AttributeName::ClientIp, client)
    }

    #[test]
    fn tells_the_first_test_that_fails_and_what_it_saw() {
        let policy = policy().build().unwrap();
        assert_eq!(
            policy.mismatch(&request("GET", "/places/7", "198.51.100.7")),
            None
        );
        let patterns = ["GET".to_owned(), "HEAD".to_owned()];
        assert_eq!(
            policy.mismatch(&request("POST", "/auth", "192.0.2.1")),
            Some(Mismatch::Test {
                attribute: &AttributeName::Method,
                patterns: &patterns,
                values: vec!["POST".to_owned()],
            })
        );
        let values = |request: &AttributeMap| match policy.mismatch(request) {
            Some(Mismatch::Test { values, .. }) => values,
            other => panic!("{other:?}"),
        };
        assert_eq!(values(&AttributeMap::new()), [""; 0]);
        assert_eq!(values(&request("GET", "/a/", "::1")), ["/a"]);
        assert_eq!(
            values(&request("GET", "//a/./b", "::1")),
            ["/a/b", "//a/./b"]
        );
    }

    #[test]
    fn tells_the_exception_that_is_met() {
        let policy = policy().except("path", "/places/health").build().unwrap();
        let met = policy.mismatch(&request("GET", "/places/health", "198.51.100.7"));
        assert_eq!(
            met,
            Some(Mismatch::Exception(&When::is("path", "/places/health")))
        );
        let met = policy.mismatch(&request("GET", "/places", "192.0.2.77"));
        assert_eq!(
            met,
            Some(Mismatch::Exception(&When::is("client.ip", "192.0.2.0/24")))
        );
    }

    #[test]
    fn what_is_off_is_for_nobody() {
        let policy = policy().mode(Mode::Off).build().unwrap();
        let request = request("GET", "/places", "198.51.100.7");
        assert_eq!(policy.mismatch(&request), Some(Mismatch::Off));
    }

    #[test]
    fn lists_what_it_looks_at() {
        let policy = policy()
            .tier(When::is("user.plan", "pro"), ["600/min".parse().unwrap()])
            .cost(Cost::Attribute {
                name: "search.cost".to_owned(),
                min: 1,
                max: 3,
                default: 1,
            })
            .build()
            .unwrap();
        let names: Vec<String> = policy
            .attributes()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            names,
            [
                "client.ip",
                "method",
                "path",
                "search.cost",
                "user",
                "user.plan"
            ]
        );
    }
}
