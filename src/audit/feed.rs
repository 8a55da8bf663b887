//! Decoding on one thread, checking on another, with a bounded number of pictures in between.

use crate::decode::{DecodeError, FrameSource};

/// Pictures in flight between the two threads: one being filled, one waiting, one looked at.
#[cfg(feature = "parallel")]
const IN_FLIGHT: usize = 3;

/// What the checking side wants after a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The next picture.
    More,
    /// No further picture.
    Enough,
}

/// Hands every picture of `source` with its time to `look`, in order, until it has enough.
///
/// # Errors
/// Whatever the decoder or `look` failed with; the decoder's own error comes first.
#[cfg(feature = "parallel")]
pub fn run<E: From<DecodeError> + Send>(
    source: &mut (dyn FrameSource + Send),
    mut look: impl FnMut(&[u8], f64) -> Result<Next, E>,
) -> Result<(), E> {
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

    type Filled = Result<(Vec<u8>, f64), DecodeError>;
    std::thread::scope(|scope| {
        let (full_tx, full_rx): (SyncSender<Filled>, Receiver<Filled>) = sync_channel(IN_FLIGHT);
        let (empty_tx, empty_rx) = sync_channel::<Vec<u8>>(IN_FLIGHT);
        for _ in 0..IN_FLIGHT {
            let _ = empty_tx.send(Vec::new());
        }
        // A closed channel on either side means that the other side has ended and has the reason.
        scope.spawn(move || {
            while let Ok(mut buffer) = empty_rx.recv() {
                let message = match source.take_picture(&mut buffer) {
                    Ok(Some(time)) => Ok((buffer, time)),
                    Ok(None) => return,
                    Err(error) => Err(error),
                };
                let failed = message.is_err();
                if full_tx.send(message).is_err() || failed {
                    return;
                }
            }
        });
        for message in &full_rx {
            let (buffer, time) = message?;
            if look(&buffer, time)? == Next::Enough {
                break;
            }
            let _ = empty_tx.send(buffer);
        }
        Ok(())
    })
}

/// As above, on the caller's thread alone.
#[cfg(not(feature = "parallel"))]
pub fn run<E: From<DecodeError>>(
    source: &mut (dyn FrameSource + Send),
    mut look: impl FnMut(&[u8], f64) -> Result<Next, E>,
) -> Result<(), E> {
    while let Some(picture) = source.next_picture()? {
        if look(picture.data, picture.time)? == Next::Enough {
            break;
        }
    }
    Ok(())
}
