//! The attributes of a request.

use std::borrow::Cow;

use tollgate_policy::{AttributeName, Attributes, ClientAddress, NoAddress, query_value};

use super::RequestHead;
use super::host::host;
use super::joined::joined;

/// Attributes that the application adds to a request, such as the user once it has been
/// authenticated: insert it into the request's extensions, before the limiter.
///
/// ```
/// use tollgate_http::RequestAttributes;
///
/// let mut request = http::Request::new(());
/// request.extensions_mut().insert(
///     RequestAttributes::new().with("user", "7").with("user.plan", "pro"),
/// );
/// ```
///
/// The facts of the request itself (`method`, `path`, `host`, `header.NAME`, `query.NAME`,
/// `client.ip`) cannot be replaced; `route` can be given where no router has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestAttributes {
    values: Vec<(Cow<'static, str>, Cow<'static, str>)>,
}

impl RequestAttributes {
    /// No attributes.
    #[must_use]
    pub const fn new() -> Self {
        Self { values: Vec::new() }
    }

    /// Adds an attribute; the last one of a name counts. An empty value counts as none when a key
    /// is built.
    #[must_use]
    pub fn with(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.values.push((name.into(), value.into()));
        self
    }

    fn value(&self, name: &str) -> Option<&str> {
        let mut latest_first = self.values.iter().rev();
        latest_first
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_ref())
    }
}

/// A request as policies see it.
pub(crate) struct View<'r> {
    head: RequestHead<'r>,
    client: Result<ClientAddress, NoAddress>,
    computed: Option<RequestAttributes>,
}

impl<'r> View<'r> {
    /// The request, who sent it, and what was computed from it, which goes before what its
    /// extensions say.
    pub(crate) const fn new(
        head: RequestHead<'r>,
        client: Result<ClientAddress, NoAddress>,
        computed: Option<RequestAttributes>,
    ) -> Self {
        Self {
            head,
            client,
            computed,
        }
    }

    fn added(&self, name: &str) -> Option<&str> {
        let computed = self.computed.as_ref();
        computed
            .and_then(|attributes| attributes.value(name))
            .or_else(|| {
                let inserted = self.head.extensions.get::<RequestAttributes>()?;
                inserted.value(name)
            })
    }
}

impl Attributes for View<'_> {
    fn attribute(&self, name: &AttributeName) -> Option<Cow<'_, str>> {
        let head = self.head;
        match name {
            AttributeName::Method => Some(head.method.as_str().into()),
            AttributeName::Path => Some(head.uri.path().into()),
            AttributeName::Route => matched_path(head)
                .or_else(|| self.added("route"))
                .map(Cow::Borrowed),
            AttributeName::Host => host(head.uri, head.headers).map(Cow::Borrowed),
            AttributeName::Header(name) => joined(head.headers, name),
            AttributeName::Query(name) => query_value(head.uri.query()?, name),
            AttributeName::Other(name) => self.added(name).map(Cow::Borrowed),
            _ => None,
        }
    }

    fn client(&self) -> Option<ClientAddress> {
        self.client.ok()
    }

    fn no_client(&self) -> Option<NoAddress> {
        self.client.err()
    }
}

#[cfg(feature = "axum")]
fn matched_path(head: RequestHead<'_>) -> Option<&str> {
    let path = head.extensions.get::<axum::extract::MatchedPath>()?;
    Some(path.as_str())
}

#[cfg(not(feature = "axum"))]
const fn matched_path(_: RequestHead<'_>) -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use http::{Method, Request};

    use super::*;

    const NOBODY: Result<ClientAddress, NoAddress> = Err(NoAddress::PeerUnknown);

    fn name(text: &str) -> AttributeName {
        text.parse().unwrap()
    }

    fn request() -> Request<()> {
        let inserted = RequestAttributes::new()
            .with("user", "old")
            .with("user", "7")
            .with("path", "/forged")
            .with("method", "FORGED")
            .with("route", "/users/{id}")
            .with("header.x-plan", "forged")
            .with("query.x", "forged");
        Request::builder()
            .method(Method::PUT)
            .uri("/users/7?x=1&x=a%20b")
            .header("host", "api.example")
            .header("x-plan", "pro")
            .header("x-plan", "max")
            .extension(inserted)
            .body(())
            .unwrap()
    }

    #[test]
    fn reads_the_facts_of_the_request_from_the_request_alone() {
        let request = request();
        let view = View::new(RequestHead::from(&request), NOBODY, None);
        let value = |text| view.attribute(&name(text));
        assert_eq!(value("method").as_deref(), Some("PUT"));
        assert_eq!(value("path").as_deref(), Some("/users/7"));
        assert_eq!(value("host").as_deref(), Some("api.example"));
        assert_eq!(value("header.X-Plan").as_deref(), Some("pro, max"));
        assert_eq!(value("header.x-other"), None);
        assert_eq!(value("query.x").as_deref(), Some("1, a b"));
        assert_eq!(value("query.y"), None);
    }

    #[test]
    fn reads_the_rest_from_what_was_added() {
        let request = request();
        let computed = RequestAttributes::new().with("user.plan", "pro");
        let view = View::new(RequestHead::from(&request), NOBODY, Some(computed));
        let value = |text| view.attribute(&name(text));
        assert_eq!(value("user").as_deref(), Some("7"));
        assert_eq!(value("user.plan").as_deref(), Some("pro"));
        assert_eq!(value("route").as_deref(), Some("/users/{id}"));
        assert_eq!(value("tenant"), None);
    }

    #[test]
    fn prefers_what_was_computed() {
        let request = request();
        let computed = RequestAttributes::new().with("user", "8");
        let view = View::new(RequestHead::from(&request), NOBODY, Some(computed));
        assert_eq!(view.attribute(&name("user")).as_deref(), Some("8"));
    }

    #[test]
    fn borrows_the_values_of_an_ordinary_request() {
        let request = Request::builder()
            .uri("/search?page=7")
            .header("host", "a.example")
            .header("x-plan", "pro");
        let request = request.body(()).unwrap();
        let view = View::new(RequestHead::from(&request), NOBODY, None);
        for text in ["method", "path", "host", "header.x-plan", "query.page"] {
            assert!(
                matches!(view.attribute(&name(text)), Some(Cow::Borrowed(_))),
                "{text}"
            );
        }
    }
}
