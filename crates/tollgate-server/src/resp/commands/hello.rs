//! How a client introduces itself: `HELLO` and `AUTH`.

use tollgate_resp::{Command, Version};

use super::{Context, Then, client, is_word, word};

const WRONG: &str = "WRONGPASS invalid username-password pair or user is disabled.";

/// `AUTH [user] password`.
pub(super) fn auth(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    let (user, password) = match (command.get(1), command.get(2)) {
        (Some(user), Some(password)) if command.len() == 3 => (Some(user), password),
        (Some(password), None) => (None, password),
        _ => return context.error("ERR syntax error"),
    };
    if user.is_none() && context.surface.password.is_none() {
        return context.error(
            "ERR AUTH <password> called without any password configured for the default user. \
             Are you sure your configuration is correct?",
        );
    }
    if !knows(context, user, password) {
        return context.error(WRONG);
    }
    context.session.is_known = true;
    context.ok()
}

/// True if this is the user that there is, and its password. Without a password, any will do, as it
/// will in Redis.
fn knows(context: &Context<'_>, user: Option<&[u8]>, password: &[u8]) -> bool {
    let is_user = user.is_none_or(|user| user == b"default");
    let is_password = match &context.surface.password {
        Some(known) => known.is(password),
        None => true,
    };
    is_user && is_password
}

/// `HELLO [2|3] [AUTH user password] [SETNAME name]`. All of it is done, or nothing.
pub(super) fn hello(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    let version = match command.get(1) {
        None => context.session.version,
        Some(b"2") => Version::Resp2,
        Some(b"3") => Version::Resp3,
        Some(other) if other.iter().all(u8::is_ascii_digit) => {
            return context.error("NOPROTO unsupported protocol version");
        }
        Some(_) => {
            return context.error("ERR Protocol version is not an integer or out of range");
        }
    };
    let mut is_known = context.session.is_known;
    let mut name = None;
    let mut at = 2;
    while let Some(option) = command.get(at) {
        let (first, second) = (command.get(at + 1), command.get(at + 2));
        match (first, second) {
            (Some(user), Some(password)) if is_word(Some(option), "AUTH") => {
                if !knows(context, Some(user), password) {
                    return context.error(WRONG);
                }
                is_known = true;
                at += 3;
            }
            (Some(given), _) if is_word(Some(option), "SETNAME") => {
                let Some(given) = client::name(given) else {
                    return context.error(client::WRONG_NAME);
                };
                name = Some(given);
                at += 2;
            }
            _ => {
                let option = word(option);
                return context.error(&format!("ERR Syntax error in HELLO option '{option}'"));
            }
        }
    }
    if !is_known {
        return context.error(
            "NOAUTH HELLO must be called with the client already authenticated, otherwise the \
             HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and \
             select the RESP protocol version at the same time",
        );
    }
    context.session.is_known = true;
    context.session.version = version;
    if let Some(name) = name {
        context.session.name = name;
    }
    introduce(context);
    Then::GoOn
}

/// Who answers here.
fn introduce(context: &mut Context<'_>) {
    let version = context.session.version;
    let replies = &mut context.batch.replies;
    replies.set_version(version);
    replies.map(7);
    for (name, value) in [
        ("server", "tollgate"),
        ("version", env!("CARGO_PKG_VERSION")),
    ] {
        replies.bulk(name.as_bytes());
        replies.bulk(value.as_bytes());
    }
    replies.bulk(b"proto");
    replies.integer(match version {
        Version::Resp2 => 2,
        Version::Resp3 => 3,
    });
    replies.bulk(b"id");
    replies.integer(context.session.id);
    for (name, value) in [("mode", "standalone"), ("role", "master")] {
        replies.bulk(name.as_bytes());
        replies.bulk(value.as_bytes());
    }
    replies.bulk(b"modules");
    replies.array(0);
}
