//! The messages, by hand: what a benchmark asks for, and whether it was admitted.

/// A call.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Request {
    #[prost(string, tag = "1")]
    domain: String,
    #[prost(message, repeated, tag = "2")]
    descriptors: Vec<Descriptor>,
    #[prost(uint32, tag = "3")]
    hits_addend: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Descriptor {
    #[prost(message, repeated, tag = "1")]
    entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Entry {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(string, tag = "2")]
    value: String,
}

/// What a call is answered; the rest is skipped.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Answer {
    /// 1 if it was admitted.
    #[prost(int32, tag = "1")]
    pub(crate) overall_code: i32,
}

impl Answer {
    /// What an empty server answers to everything.
    pub(crate) const OK: Self = Self { overall_code: 1 };
}

impl Request {
    /// A call about each user, one descriptor for one of them.
    pub(crate) fn about<U: Into<String>>(domain: &str, users: impl IntoIterator<Item = U>) -> Self {
        let descriptors = users.into_iter().map(|user| Descriptor {
            entries: vec![Entry {
                key: "user".to_owned(),
                value: user.into(),
            }],
        });
        Self {
            domain: domain.to_owned(),
            descriptors: descriptors.collect(),
            hits_addend: 0,
        }
    }
}
