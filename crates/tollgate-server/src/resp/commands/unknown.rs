//! What is no command.

use tollgate_resp::Command;

use super::{Context, Then};

/// How much of a name, and of all arguments, is told back.
const MAX_TOLD: usize = 128;

/// Answers as Redis does.
#[cold]
pub(super) fn run(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    let name = command.get(0).unwrap_or_default();
    // A browser that was made to send this here is answered by nobody, as Redis does it.
    if name.eq_ignore_ascii_case(b"POST") || name.eq_ignore_ascii_case(b"HOST:") {
        tracing::warn!("a connection of the Redis protocol was closed: it speaks HTTP");
        return Then::Close;
    }
    if !context.session.is_known {
        return context.error("NOAUTH Authentication required.");
    }
    let mut text = format!(
        "ERR unknown command '{}', with args beginning with: ",
        told(name, MAX_TOLD)
    );
    let mut left = MAX_TOLD;
    for argument in command.from(1) {
        if left == 0 {
            break;
        }
        let argument = told(argument, left);
        left = left.saturating_sub(argument.len());
        text.push_str(&format!("'{argument}' "));
    }
    context.error(&text)
}

/// The beginning of an argument, as text.
fn told(argument: &[u8], longest: usize) -> String {
    let cut = argument.get(..longest).unwrap_or(argument);
    String::from_utf8_lossy(cut).into_owned()
}
