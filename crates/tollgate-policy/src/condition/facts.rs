//! The facts of one request, in the form in which policies compare them.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::path::{PathForms, normalize_host};
use crate::{AttributeName, Attributes, ClientAddress, NoAddress};

/// The facts of one request. What must be brought into normal form is brought there once.
pub(crate) struct Facts<'r, A: ?Sized> {
    request: &'r A,
    path: OnceCell<Option<PathForms<'r>>>,
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

    /// Why nobody is known to have sent it, if that is.
    pub(crate) fn no_client(&self) -> Option<NoAddress> {
        self.request.no_client()
    }

    /// The forms of the path.
    pub(crate) fn path(&self) -> Option<&PathForms<'r>> {
        self.path
            .get_or_init(|| {
                Some(match self.request.attribute(&AttributeName::Path)? {
                    Cow::Borrowed(path) => PathForms::of(path),
                    Cow::Owned(path) => PathForms::of(&path).into_owned(),
                })
            })
            .as_ref()
    }

    fn host(&self) -> Option<&str> {
        self.host
            .get_or_init(|| {
                let host = self.request.attribute(&AttributeName::Host)?;
                Some(match host {
                    Cow::Borrowed(host) => normalize_host(host),
                    Cow::Owned(host) => Cow::Owned(normalize_host(&host).into_owned()),
                })
            })
            .as_deref()
    }

    /// The value of an attribute, a path in normal form. The client's address is asked for by [`client`](Self::client).
    pub(crate) fn value(&self, name: &AttributeName) -> Option<Cow<'_, str>> {
        match name {
            AttributeName::ClientIp => None,
            AttributeName::Path => self.path().map(|forms| Cow::Borrowed(&*forms.normal)),
            AttributeName::Host => self.host().map(Cow::Borrowed),
            _ => self.request.attribute(name),
        }
    }
}
