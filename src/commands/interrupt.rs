//! Ctrl-C and SIGTERM of a command in the foreground: asked once, it ends in
//! order; asked again, at once. What that means is each command's.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};

use crate::error::{Error, ExitCode, Result};

#[derive(Debug)]
pub(super) struct Interrupt {
    heard: Receiver<()>,
}

impl Interrupt {
    /// From here on no signal ends the process by itself.
    pub(super) fn listen() -> Result<Interrupt> {
        let fail = || Error::io("cannot listen for signals");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(fail())?;
        let (mut interrupt, mut terminate) = {
            let _within = runtime.enter();
            (
                signal(SignalKind::interrupt()).map_err(fail())?,
                signal(SignalKind::terminate()).map_err(fail())?,
            )
        };
        let (tell, heard) = mpsc::channel();
        let mut asked = false;
        let listen = async move {
            loop {
                tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
                // The second time, or where nobody listens any more: the orderly end takes too long.
                if tell.send(()).is_err() || std::mem::replace(&mut asked, true) {
                    std::process::exit(ExitCode::Failed as i32);
                }
            }
        };
        Builder::new().name("signals".into()).spawn(move || runtime.block_on(listen)).map_err(fail())?;
        Ok(Interrupt { heard })
    }

    /// Waits so long at most; true where it was asked to end meanwhile, or since the last wait.
    pub(super) fn within(&self, time: Duration) -> bool {
        match self.heard.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => false,
            Ok(()) | Err(RecvTimeoutError::Disconnected) => true,
        }
    }
}
