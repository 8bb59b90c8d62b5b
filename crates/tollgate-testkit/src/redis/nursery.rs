//! Where processes are started that must not outlive this one.

use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// A command to run, and whom to tell.
type Order = (Command, Sender<io::Result<Child>>);

/// Runs a command so that it is killed when this process ends in any way, also in one that drops
/// nothing, such as a signal.
///
/// `setpriv` asks the system for that, and becomes the command. If there is no such program, it
/// ends with the status 127.
pub(super) fn run(command: &Command, prepare: impl FnOnce(&mut Command)) -> io::Result<Child> {
    let mut guarded = Command::new("setpriv");
    guarded
        .args(["--pdeathsig", "KILL", "--"])
        .arg(command.get_program())
        .args(command.get_args());
    prepare(&mut guarded);
    let (answer, answered) = mpsc::channel();
    let order = (guarded, answer);
    let sent = orders()
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .send(order);
    sent.expect("the thread that starts processes waits for orders");
    answered
        .recv()
        .expect("the thread that starts processes answers")
}

/// The system kills the children of a thread when the thread ends. So one that never does starts
/// them all.
fn orders() -> &'static Mutex<Sender<Order>> {
    static ORDERS: OnceLock<Mutex<Sender<Order>>> = OnceLock::new();
    ORDERS.get_or_init(|| {
        let (sender, receiver) = mpsc::channel::<Order>();
        thread::spawn(move || {
            for (mut command, answer) in receiver {
                // Whoever ordered it may have gone, and the child with the answer is dropped.
                let _ = answer.send(command.spawn());
            }
        });
        Mutex::new(sender)
    })
}
