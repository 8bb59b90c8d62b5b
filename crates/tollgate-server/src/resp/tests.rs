use std::fs;

use tollgate_resp::{Bounds, Command, Parser, encode};

use super::batch::Batch;
use super::commands::{Context, Then};
use super::*;

const POLICY: &str = "[[policy]]\nname = 'all'\nkey = ['user']\nlimits = ['9/min']\n";

fn surface() -> Resp {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tollgate.toml");
    fs::write(&path, POLICY).unwrap();
    Resp::new(
        Engine::open(path).unwrap(),
        &ServerSettings::default(),
        Surface::new("redis", 1),
        &Waiting::new(1),
    )
}

/// Parses and runs commands that arrived together, and gives the answers' bytes.
fn run(surface: &Resp, session: &mut Session, batch: &mut Batch, mut input: &[u8]) -> usize {
    let mut parser = Parser::new(Bounds::default());
    while let Some(command) = parser.next(input).unwrap() {
        let length = Command::length(&command);
        let then = Context {
            surface,
            session,
            batch,
            is_counted: false,
        }
        .run(&command);
        assert_eq!(then, Then::GoOn);
        input = &input[length..];
    }
    let bytes = batch.replies.bytes().len();
    batch.clear();
    bytes
}

/// Beside the list of a command's arguments, which a connection keeps.
#[test]
fn a_throttle_in_memory_allocates_nothing() {
    let surface = surface();
    let (mut session, mut batch) = (surface.session(), Batch::default());
    let throttle = encode(&["CL.THROTTLE", "somebody", "15", "30", "60"]);
    let (few, many) = (throttle.repeat(10), throttle.repeat(200));
    // Room for the answers, and the key's place in the store.
    let answers = run(&surface, &mut session, &mut batch, &many);
    assert!(answers > 200 * 20, "{answers}");
    let mut count = |input: &[u8]| {
        let counted = allocation_counter::measure(|| {
            run(&surface, &mut session, &mut batch, input);
        });
        counted.count_total
    };
    assert_eq!(count(&few), count(&many));
}
