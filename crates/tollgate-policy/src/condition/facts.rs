//! The facts of one request, in the form in which policies compare them.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::path::normalize_host;
use crate::{AttributeName, Attributes, ClientAddress, normalize_path};

/// The facts of one request. What must be brought into normal form is brought there once.
pub(crate) struct Facts<'r, A: ?Sized> {
    request: &'r A,
    path: OnceCell<Option<Cow<'r, str>>>,
    host: OnceCell<Option<Cow<'r, str>>>,
}

impl<'r, A: Attributes + ?Sized> Facts<'r, A> {
    pub(crate) const fn new(request: &'r A) -> Self {
        Self {
            request,
            path: OnceCell::new(),
            host: OnceCell::new(),
        }
    }

    /// Who sent the request.
    pub(crate) fn client(&self) -> Option<ClientAddress> {
        self.request.client()
    }

    /// The path in normal form.
    pub(crate) fn path(&self) -> Option<&str> {
        self.path
            .get_or_init(|| {
                let path = self.request.attribute(&AttributeName::Path)?;
                Some(normalized(path, normalize_path))
            })
            .as_deref()
    }

    fn host(&self) -> Option<&str> {
        self.host
            .get_or_init(|| {
                let host = self.request.attribute(&AttributeName::Host)?;
                Some(normalized(host, normalize_host))
            })
            .as_deref()
    }

    /// The value of an attribute. The client's address is asked for by [`client`](Self::client).
    pub(crate) fn value(&self, name: &AttributeName) -> Option<Cow<'_, str>> {
        match name {
            AttributeName::ClientIp => None,
            AttributeName::Path => self.path().map(Cow::Borrowed),
            AttributeName::Host => self.host().map(Cow::Borrowed),
            _ => self.request.attribute(name),
        }
    }
}

fn normalized(text: Cow<'_, str>, normalize: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => normalize(text),
        Cow::Owned(text) => Cow::Owned(normalize(&text).into_owned()),
    }
}
