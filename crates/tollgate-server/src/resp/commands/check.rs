//! `TG.CHECK`: the policies of the file.

use tollgate_resp::Command;

use super::{Context, Then};
use crate::attributes::GivenAttributes;
use crate::resp::decided::{Decided, checked};

/// `TG.CHECK attribute value [attribute value …]`.
pub(super) fn run(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    let engine = &context.surface.engine;
    let mut given = match read(command) {
        Ok(given) => given,
        Err(error) => return context.error(&format!("ERR TG.CHECK: {error}")),
    };
    let in_force = engine.limiter().in_force();
    given.identify(in_force.identity());
    match in_force.policies().decide_at_once(&given) {
        Ok(decision) => checked(engine, &decision, &mut context.batch.replies),
        Err(undecided) => {
            let (engine, policies) = (engine.clone(), in_force.policies().clone());
            context.batch.wait_for(Box::pin(async move {
                let decision = policies.decide_later(undecided).await;
                Decided::Check(engine, decision)
            }));
        }
    }
    Then::GoOn
}

/// The attributes of a command.
fn read<'c>(command: &Command<'c>) -> Result<GivenAttributes<'c>, String> {
    let mut given = GivenAttributes::default();
    let mut arguments = command.from(1);
    while let Some(name) = arguments.next() {
        let name = text("the name of an attribute", name)?;
        let Some(value) = arguments.next() else {
            return Err(format!(
                "the attribute `{name}` has no value; write `{name} VALUE`"
            ));
        };
        let value = text(&format!("the value of the attribute `{name}`"), value)?;
        given.add(name, value).map_err(|error| error.to_string())?;
    }
    Ok(given)
}

/// Text that must be UTF-8, as all that policies compare.
fn text<'c>(what: &str, bytes: &'c [u8]) -> Result<&'c str, String> {
    std::str::from_utf8(bytes).map_err(|_| format!("{what} is not UTF-8"))
}
