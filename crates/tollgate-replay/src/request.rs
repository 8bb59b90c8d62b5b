//! Requests as policies see them.

use std::borrow::Cow;

use tollgate::{Micros, Timestamp};
use tollgate_policy::{AttributeName, Attributes, ClientAddress, NoAddress};

/// A request of a log, as policies see it.
#[derive(Clone, Debug)]
pub struct Request {
    /// When it began, as well as the log tells.
    pub at: Timestamp,
    /// How long it took, if the log tells.
    pub duration: Option<Micros>,
    /// How it was answered, if the log tells.
    pub status: Option<u16>,
    /// Who sent it.
    pub client: Result<ClientAddress, NoAddress>,
    /// The attributes that somebody asked for, in no order. There are few.
    pub attributes: Vec<(AttributeName, String)>,
}

impl Attributes for Request {
    fn attribute(&self, name: &AttributeName) -> Option<Cow<'_, str>> {
        let mut attributes = self.attributes.iter();
        attributes
            .find(|(known, _)| known == name)
            .map(|(_, value)| Cow::Borrowed(value.as_str()))
    }

    fn client(&self) -> Option<ClientAddress> {
        self.client.ok()
    }

    fn no_client(&self) -> Option<NoAddress> {
        self.client.err()
    }
}

/// Requests in order of time, which can be gone through again.
pub trait Requests {
    /// What may go wrong while reading.
    type Error;

    /// Gives each request, the earliest first.
    ///
    /// # Errors
    ///
    /// The requests cannot be read. Some may have been given.
    fn for_each(&mut self, each: &mut dyn FnMut(&Request)) -> Result<(), Self::Error>;
}

/// Requests that are in memory: for tests, and for short logs.
impl Requests for Vec<Request> {
    type Error = std::convert::Infallible;

    fn for_each(&mut self, each: &mut dyn FnMut(&Request)) -> Result<(), Self::Error> {
        self.iter().for_each(each);
        Ok(())
    }
}
