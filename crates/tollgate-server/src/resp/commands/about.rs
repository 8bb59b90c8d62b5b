//! What clients ask on their own, and people who try it out.

use tollgate_resp::{Command, Replies};

use super::table::{COMMANDS, Known};
use super::{Context, Then, is_word, word};
use crate::resp::session::Session;

/// `PING [message]`.
pub(super) fn ping(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    match (command.get(1), command.len()) {
        (None, _) => context.batch.replies.simple("PONG"),
        (Some(message), 2) => context.batch.replies.bulk(message),
        _ => return context.error("ERR wrong number of arguments for 'ping' command"),
    }
    Then::GoOn
}

/// `ECHO message`.
pub(super) fn echo(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    let message = command.get(1).unwrap_or_default();
    context.batch.replies.bulk(message);
    Then::GoOn
}

/// `SELECT 0`.
pub(super) fn select(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    match command.get(1) {
        Some(b"0") => context.ok(),
        _ => context.error("ERR DB index is out of range"),
    }
}

/// `QUIT`.
pub(super) fn quit(context: &mut Context<'_>, _: &Command<'_>) -> Then {
    context.ok();
    Then::Close
}

/// `RESET`.
pub(super) fn reset(context: &mut Context<'_>, _: &Command<'_>) -> Then {
    *context.session = Session::new(context.session.id, context.surface.password.is_none());
    context.batch.replies.simple("RESET");
    Then::GoOn
}

/// What needs nothing done.
pub(super) fn accept(context: &mut Context<'_>, _: &Command<'_>) -> Then {
    context.ok()
}

/// `CONFIG GET`, which finds nothing.
pub(super) fn config(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    if !is_word(command.get(1), "GET") {
        return context.error(
            "ERR there is nothing to configure here: settings are options of tollgate serve, and \
             limits stand in the policy file",
        );
    }
    if command.len() < 3 {
        return context.error("ERR wrong number of arguments for 'config|get' command");
    }
    context.batch.replies.map(0);
    Then::GoOn
}

/// `INFO`: what clients look for to know whether they may begin, and whom they have met.
pub(super) fn info(context: &mut Context<'_>, _: &Command<'_>) -> Then {
    let store = if context.surface.engine.store_is_away() {
        "away"
    } else {
        "there"
    };
    let text = format!(
        "# Server\r\n\
         redis_version:{COMPATIBLE_WITH}\r\n\
         redis_mode:standalone\r\n\
         tollgate_version:{}\r\n\
         \r\n\
         # Persistence\r\n\
         loading:0\r\n\
         \r\n\
         # Replication\r\n\
         role:master\r\n\
         connected_slaves:0\r\n\
         \r\n\
         # Cluster\r\n\
         cluster_enabled:0\r\n\
         \r\n\
         # Tollgate\r\n\
         store:{store}\r\n\
         policy_generation:{}\r\n",
        env!("CARGO_PKG_VERSION"),
        context.surface.engine.generation(),
    );
    context.batch.replies.text(&text);
    Then::GoOn
}

/// The Redis whose protocol this is, for clients that ask how old a server is.
const COMPATIBLE_WITH: &str = "7.2.0";

/// `COMMAND [COUNT | LIST | INFO name … | DOCS name …]`.
pub(super) fn command(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    let replies = &mut context.batch.replies;
    let named = || command.from(2);
    match command.get(1).map(word).as_deref() {
        None => {
            replies.array(COMMANDS.len());
            COMMANDS.iter().for_each(|known| describe(known, replies));
        }
        Some("count") if command.len() == 2 => {
            replies.integer(i64::try_from(COMMANDS.len()).unwrap_or(i64::MAX));
        }
        Some("list") if command.len() == 2 => {
            replies.array(COMMANDS.len());
            for known in &COMMANDS {
                replies.bulk(known.name.to_ascii_lowercase().as_bytes());
            }
        }
        Some("info") if command.len() == 2 => {
            replies.array(COMMANDS.len());
            COMMANDS.iter().for_each(|known| describe(known, replies));
        }
        Some("info") => {
            replies.array(named().len());
            for name in named() {
                match find(name) {
                    Some(known) => describe(known, replies),
                    None => replies.null(),
                }
            }
        }
        Some("docs") => {
            let all = command.len() == 2;
            let is_asked = |known: &&Known| {
                all || named().any(|name| name.eq_ignore_ascii_case(known.name.as_bytes()))
            };
            replies.map(COMMANDS.iter().filter(is_asked).count());
            for known in COMMANDS.iter().filter(is_asked) {
                document(known, replies);
            }
        }
        Some(other) => {
            let text =
                format!("ERR unknown subcommand '{other}'. Try COMMAND COUNT, LIST, INFO or DOCS.");
            return context.error(&text);
        }
    }
    Then::GoOn
}

fn find(name: &[u8]) -> Option<&'static Known> {
    COMMANDS
        .iter()
        .find(|known| known.name.as_bytes().eq_ignore_ascii_case(name))
}

/// The ten things that Redis tells of a command.
fn describe(known: &Known, replies: &mut Replies) {
    let key = i64::from(known.has_key);
    replies.array(10);
    replies.bulk(known.name.to_ascii_lowercase().as_bytes());
    replies.integer(known.arity.into());
    replies.set(known.flags.len());
    known.flags.iter().for_each(|flag| replies.simple(flag));
    // The first key, the last, and the step between keys.
    (0..3).for_each(|_| replies.integer(key));
    // Categories, tips, key specifications and subcommands.
    replies.set(0);
    replies.set(0);
    replies.set(0);
    replies.array(0);
}

fn document(known: &Known, replies: &mut Replies) {
    replies.bulk(known.name.to_ascii_lowercase().as_bytes());
    replies.map(2);
    replies.bulk(b"summary");
    replies.bulk(known.summary.as_bytes());
    replies.bulk(b"since");
    replies.bulk(b"0.1.0");
}
