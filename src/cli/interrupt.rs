//! Ctrl-C: one flag that long work looks at.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Catches the first Ctrl-C (and SIGTERM) as a request; a second one ends the process at once.
pub fn install() {
    // Without a handler the signal still ends the process, only less tidily.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        // They would not notice: each leads a process group of its own, and one that hangs would
        // hold up whoever waits for it.
        #[cfg(feature = "ffmpeg")]
        crate::process::end_all();
    });
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// The flag itself, for library code that is handed one.
pub fn flag() -> &'static AtomicBool {
    &REQUESTED
}
