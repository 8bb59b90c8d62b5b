use proptest::prelude::*;

use super::*;
use crate::encode;

type Arguments = Vec<Vec<u8>>;

/// All commands of an input that arrives in parts, and the error at its end, if there is one.
fn parse_all<'i>(
    bounds: Bounds,
    parts: impl IntoIterator<Item = &'i [u8]>,
) -> (Vec<Arguments>, Option<ProtocolError>) {
    let mut parser = Parser::new(bounds);
    let (mut input, mut commands) = (Vec::new(), Vec::new());
    for part in parts {
        input.extend_from_slice(part);
        let mut start = 0;
        loop {
            match parser.next(&input[start..]) {
                Err(error) => return (commands, Some(error)),
                Ok(None) => break,
                Ok(Some(command)) => {
                    commands.push(command.from(0).map(<[u8]>::to_vec).collect());
                    start += command.length();
                }
            }
        }
        input.drain(..start);
    }
    (commands, None)
}

fn parse(input: &[u8]) -> (Vec<Arguments>, Option<ProtocolError>) {
    parse_all(Bounds::default(), [input])
}

fn error(input: impl AsRef<[u8]>) -> Option<ProtocolError> {
    parse(input.as_ref()).1
}

#[test]
fn arrays_and_lines_are_commands() {
    let (commands, error) =
        parse(b"*2\r\n$4\r\nECHO\r\n$0\r\n\r\nPING x\r\n\r\n*0\r\n*-1\r\nQUIT\n");
    assert_eq!(error, None);
    let commands: Vec<Vec<&[u8]>> = commands
        .iter()
        .map(|command| command.iter().map(Vec::as_slice).collect())
        .collect();
    let expected: [&[&[u8]]; 6] = [&[b"ECHO", b""], &[b"PING", b"x"], &[], &[], &[], &[b"QUIT"]];
    assert_eq!(commands, expected);
}

#[test]
fn what_announces_too_much_is_refused_by_its_number() {
    let bounds = Bounds::default();
    for (input, expected) in [
        ("*2000000000\r\n", ProtocolError::ArrayLength),
        ("*99999999999999999999\r\n", ProtocolError::ArrayLength),
        ("*1\r\n$2000000000\r\n", ProtocolError::BulkLength),
        ("*1\r\n$-1\r\n", ProtocolError::BulkLength),
        ("*1\r\n$\r\n", ProtocolError::BulkLength),
        ("*a\r\n", ProtocolError::ArrayLength),
        ("*1\n", ProtocolError::LengthLine),
        ("*1\r\n:1\r\n", ProtocolError::NoBulk(b':')),
        ("*1\r\n$1\r\nab\r\n", ProtocolError::BulkEnd),
        ("*11111111111111111111111111", ProtocolError::LengthLine),
        ("\"\r\n", ProtocolError::Quotes),
    ] {
        assert_eq!(error(input), Some(expected), "{input:?}");
    }
    let line = "a".repeat(bounds.line + 1);
    assert_eq!(error(&line), Some(ProtocolError::Line));
    assert_eq!(error("a".repeat(bounds.line) + "\n"), None);
    let words = "a ".repeat(bounds.arguments + 1) + "\n";
    assert_eq!(error(words), Some(ProtocolError::ArrayLength));
    let many = vec![vec![b'a'; bounds.argument]; 5];
    assert_eq!(error(encode(&many)), Some(ProtocolError::Command));
    assert_eq!(error(encode(&many[..3])), None);
}

#[test]
fn errors_read_as_those_of_redis() {
    for (error, text) in [
        (
            ProtocolError::ArrayLength,
            "Protocol error: invalid multibulk length",
        ),
        (
            ProtocolError::BulkLength,
            "Protocol error: invalid bulk length",
        ),
        (
            ProtocolError::NoBulk(b'\n'),
            "Protocol error: expected '$', got '\\n'",
        ),
        (
            ProtocolError::Quotes,
            "Protocol error: unbalanced quotes in request",
        ),
        (
            ProtocolError::Line,
            "Protocol error: too big inline request",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

/// How much is looked at does not depend on the parts: what it costs is told by how far the search
/// for an end has come, which never goes back.
#[test]
fn a_line_that_arrives_byte_by_byte_is_searched_once() {
    let mut parser = Parser::new(Bounds::default());
    let line = [b'a'; 10_000];
    for end in 1..line.len() {
        assert!(parser.next(&line[..end]).unwrap().is_none());
        assert_eq!(parser.searched, end);
    }
}

#[test]
fn an_argument_that_arrives_byte_by_byte_is_not_searched_at_all() {
    let mut parser = Parser::new(Bounds::default());
    let command = encode(&[[b'\n'; 10_000]]);
    let head = b"*1\r\n$10000\r\n".len();
    for end in 1..command.len() {
        assert!(parser.next(&command[..end]).unwrap().is_none());
        assert!(parser.searched <= head);
    }
    assert_eq!(
        parser.next(&command).unwrap().unwrap().length(),
        command.len()
    );
}

#[test]
fn room_for_many_arguments_is_given_back() {
    let mut parser = Parser::new(Bounds::default());
    assert!(parser.next(&encode(&[b"a"; 1_000])).unwrap().is_some());
    assert!(parser.next(b"PING\n").unwrap().is_some());
    assert!(parser.arguments.capacity() <= KEPT_ARGUMENTS);
}

/// Input that is often a command, and often nearly one.
fn input() -> impl Strategy<Value = Vec<u8>> {
    let argument = prop::collection::vec(any::<u8>(), 0..12);
    let arguments = prop::collection::vec(argument, 0..6);
    let array = arguments.prop_map(|arguments| encode(&arguments));
    let line = "[a '\"\\\\x0-9]{0,12}\r?\n".prop_map(String::into_bytes);
    let broken = "[*$][-0-9]{0,3}\r?\n".prop_map(String::into_bytes);
    let piece = prop_oneof![6 => array, 3 => line, 1 => broken];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_parts_of_an_input_give_the_same_commands(
        input in input(),
        sizes in prop::collection::vec(1_usize..9, 1..20),
    ) {
        let bounds = Bounds { arguments: 4, argument: 9, line: 10, command: 40 };
        let mut parts = Vec::new();
        let mut rest = &input[..];
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (part, after) = rest.split_at((*size).min(rest.len()));
            parts.push(part);
            rest = after;
        }
        prop_assert_eq!(parse_all(bounds, parts), parse_all(bounds, [&input[..]]));
    }

    #[test]
    fn what_is_encoded_is_read_back(
        commands in prop::collection::vec(
            prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..6), 0..6),
    ) {
        let bytes: Vec<u8> = commands.iter().flat_map(|command| encode(command)).collect();
        prop_assert_eq!(parse(&bytes), (commands, None));
    }
}
