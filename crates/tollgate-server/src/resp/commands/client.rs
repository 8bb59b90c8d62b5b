//! `CLIENT`: what clients tell of themselves, and ask of their connection.

use tollgate_resp::{Command, Version};

use super::{Context, Then, is_word, word};

/// The longest name of a client, in bytes.
const MAX_NAME: usize = 128;

pub(super) const WRONG_NAME: &str = "ERR Client names cannot contain spaces, newlines or special characters, and have at most 128 bytes.";

pub(super) fn run(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    let what = word(command.get(1).unwrap_or_default());
    match (what.as_str(), command.get(2), command.len()) {
        ("id", None, _) => {
            let id = context.session.id;
            context.batch.replies.integer(id);
            Then::GoOn
        }
        ("setname", Some(given), 3) => match name(given) {
            Some(name) => {
                context.session.name = name;
                context.ok()
            }
            None => context.error(WRONG_NAME),
        },
        ("getname", None, _) => {
            match context.session.name.as_str() {
                "" => context.batch.replies.null(),
                name => context.batch.replies.bulk(name.as_bytes()),
            }
            Then::GoOn
        }
        ("info", None, _) => {
            let text = info(context);
            context.batch.replies.text(&text);
            Then::GoOn
        }
        // Which library it is makes no difference here, and none of it is kept.
        ("setinfo", Some(_), 4) => context.ok(),
        ("no-evict" | "no-touch", Some(_), 3) => context.ok(),
        // There is nothing to track, so it is never on.
        ("tracking", off, _) if is_word(off, "OFF") => context.ok(),
        ("id" | "setname" | "getname" | "info" | "setinfo" | "no-evict" | "no-touch", ..) => {
            context.error(&format!(
                "ERR wrong number of arguments for 'client|{what}' command"
            ))
        }
        _ => context.error(&format!(
            "ERR unknown subcommand '{what}'. Try CLIENT ID, INFO, SETNAME, GETNAME or SETINFO."
        )),
    }
}

/// A name that a client gives itself, if names can be like that: printable ASCII without spaces.
pub(super) fn name(given: &[u8]) -> Option<String> {
    let is_name = given.len() <= MAX_NAME && given.iter().all(u8::is_ascii_graphic);
    let name = is_name.then(|| std::str::from_utf8(given).ok())?;
    name.map(str::to_owned)
}

fn info(context: &Context<'_>) -> String {
    let session = &context.session;
    let version = match session.version {
        Version::Resp2 => 2,
        Version::Resp3 => 3,
    };
    format!(
        "id={} name={} db=0 resp={version}\n",
        session.id, session.name
    )
}
