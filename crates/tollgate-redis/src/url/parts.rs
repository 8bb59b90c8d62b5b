//! The pieces of a URL after its scheme.

use percent_encoding::percent_decode_str;

use super::{Endpoint, Login, wrong};
use crate::error::UrlError;

/// `[user_info@]hosts[path][?query]`, none of it decoded yet.
pub(super) struct Parts<'a> {
    pub(super) user_info: Option<&'a str>,
    pub(super) hosts: &'a str,
    /// With its slash.
    pub(super) path: &'a str,
    query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    pub(super) fn split(rest: &'a str) -> Result<Self, UrlError> {
        if rest.contains('#') {
            return Err(wrong(
                "it has a fragment, which means nothing here; write # in a password as %23",
            ));
        }
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        let (authority, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, ""),
        };
        // Of several, the last: so an @ in a password that is not encoded does no harm.
        let (user_info, hosts) = match authority.rsplit_once('@') {
            Some((user_info, hosts)) => (Some(user_info), hosts),
            None => (None, authority),
        };
        if path.contains('@') {
            return Err(wrong(
                "there is an @ after the host; write / in a password as %2F and ? as %3F",
            ));
        }
        Ok(Self {
            user_info,
            hosts,
            path,
            query,
        })
    }

    pub(super) fn login(&self) -> Result<Login, UrlError> {
        let Some(user_info) = self.user_info else {
            return Ok(Login::default());
        };
        let (user, password) = match user_info.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (user_info, None),
        };
        if password.is_none() {
            return Err(wrong(
                "it names a user and no password; write USER:PASSWORD@, or :PASSWORD@ for the default user",
            ));
        }
        let password = password.map(|password| decoded("password", password));
        Ok(Login {
            user: Some(decoded("user", user)?).filter(|user| !user.is_empty()),
            password: password
                .transpose()?
                .filter(|password| !password.is_empty()),
        })
    }

    pub(super) fn endpoints(&self, default_port: u16) -> Result<Vec<Endpoint>, UrlError> {
        if self.hosts.is_empty() {
            return Err(wrong("it has no host; write SCHEME://HOST:PORT"));
        }
        let hosts = self.hosts.split(',');
        hosts.map(|host| endpoint(host, default_port)).collect()
    }

    /// The decoded value of a parameter, if it is there.
    pub(super) fn query(&self, name: &str) -> Result<Option<String>, UrlError> {
        let value = self
            .parameters()
            .find_map(|(other, value)| (other == name).then_some(value));
        value.map(|value| decoded(name, value)).transpose()
    }

    /// Refuses parameters that would be passed over.
    pub(super) fn allow_query(&self, known: &[&str]) -> Result<(), UrlError> {
        let mut seen = Vec::new();
        for (name, _) in self.parameters() {
            if !known.contains(&name) {
                let remedy = if known.is_empty() {
                    "it takes none; write ? in a password as %3F".to_owned()
                } else {
                    format!("known are {}", known.join(", "))
                };
                return Err(wrong(&format!(
                    "it has a parameter that is not known: {remedy}"
                )));
            }
            if seen.contains(&name) {
                return Err(wrong(&format!("it says {name} twice; leave one out")));
            }
            seen.push(name);
        }
        Ok(())
    }

    fn parameters(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let pairs = self.query.into_iter().flat_map(|query| query.split('&'));
        pairs
            .filter(|pair| !pair.is_empty())
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
    }
}

/// The text without its percent signs; `part` names it in an error.
pub(super) fn decoded(part: &str, text: &str) -> Result<String, UrlError> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(Into::into).map_err(|_| {
        wrong(&format!(
            "its {part} is not UTF-8 once it is decoded; write % as %25"
        ))
    })
}

fn endpoint(text: &str, default_port: u16) -> Result<Endpoint, UrlError> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']').ok_or_else(|| {
                wrong("a bracket of an IPv6 address is open; write [ADDRESS]:PORT")
            })?;
            if host.parse::<std::net::Ipv6Addr>().is_err() {
                return Err(wrong(
                    "what stands in brackets is not an IPv6 address; write [ADDRESS]:PORT",
                ));
            }
            let port = if port.is_empty() {
                None
            } else {
                Some(port.strip_prefix(':').ok_or_else(bad_port)?)
            };
            (host, port)
        }
        None => match text.split_once(':') {
            Some((_, port)) if port.contains(':') => {
                return Err(wrong(
                    "a host has several colons; write an IPv6 address as [ADDRESS]:PORT",
                ));
            }
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        },
    };
    if host.is_empty() {
        return Err(wrong("a host is empty; write HOST:PORT"));
    }
    if !host.chars().all(is_of_a_host) {
        return Err(wrong(
            "a host has characters that hosts do not have; write HOST:PORT, or USER:PASSWORD@HOST:PORT",
        ));
    }
    let port = match port {
        Some(port) => port
            .parse()
            .ok()
            .filter(|port| *port > 0)
            .ok_or_else(bad_port)?,
        None => default_port,
    };
    Ok(Endpoint {
        host: host.to_owned(),
        port,
    })
}

fn is_of_a_host(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | '-' | '_' | ':')
}

fn bad_port() -> UrlError {
    wrong("its port is not a number from 1 to 65535; write HOST:PORT")
}
