//! Commands of the Redis protocol, in whatever parts they arrive.

use tollgate_resp::{Bounds, Parser, ProtocolError, encode};

/// Small, so that a search finds inputs that pass them.
const BOUNDS: Bounds = Bounds {
    arguments: 6,
    argument: 24,
    line: 32,
    command: 96,
};

type Arguments = Vec<Vec<u8>>;
type Found = (Vec<Arguments>, Option<ProtocolError>);

/// The first byte says how long the parts are in which the others arrive.
///
/// Any parts give the same commands, and the same error at the end. Commands are within the bounds, and
/// read back as what they were when they are written.
pub fn resp_commands(data: &[u8]) {
    let Some((first, input)) = data.split_first() else {
        return;
    };
    for bounds in [BOUNDS, Bounds::default()] {
        let whole = parse(bounds, [input]);
        let size = usize::from(first % 16) + 1;
        assert_eq!(
            parse(bounds, input.chunks(size)),
            whole,
            "in parts of {size}"
        );
        assert_eq!(parse(bounds, input.chunks(1)), whole, "byte by byte");
        check(bounds, &whole);
    }
}

fn check(bounds: Bounds, (commands, error): &Found) {
    for arguments in commands {
        assert!(arguments.len() <= bounds.arguments);
        let longest = bounds.argument.max(bounds.line);
        assert!(arguments.iter().all(|argument| argument.len() <= longest));
    }
    if let Some(error) = error {
        let told = error.to_string();
        assert!(
            told.starts_with("Protocol error: ") && !told.contains(['\r', '\n']),
            "{told}"
        );
    }
    let written: Vec<u8> = commands
        .iter()
        .flat_map(|command| encode(command))
        .collect();
    // What was a line may be longer in the other form.
    let (again, error) = parse(roomy(), [&written[..]]);
    assert_eq!(
        (&again, error),
        (commands, None),
        "what is written reads back"
    );
}

const fn roomy() -> Bounds {
    Bounds {
        arguments: 1 << 20,
        argument: 1 << 20,
        line: 1 << 20,
        command: 1 << 24,
    }
}

/// All commands of an input that arrives in parts, and the error at its end, if there is one.
fn parse<'i>(bounds: Bounds, parts: impl IntoIterator<Item = &'i [u8]>) -> Found {
    let mut parser = Parser::new(bounds);
    let (mut input, mut commands) = (Vec::new(), Vec::new());
    for part in parts {
        input.extend_from_slice(part);
        let mut start = 0;
        loop {
            match parser.next(input.get(start..).unwrap_or_default()) {
                Err(error) => return (commands, Some(error)),
                Ok(None) => break,
                Ok(Some(command)) => {
                    assert!(command.length() <= bounds.command.max(bounds.line + 1));
                    commands.push(command.from(0).map(<[u8]>::to_vec).collect());
                    start += command.length();
                }
            }
        }
        input.drain(..start);
    }
    (commands, None)
}
