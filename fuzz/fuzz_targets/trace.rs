//! Any bytes as a trace: never a panic; what is read is written back as the same trace.
#![no_main]

use libfuzzer_sys::fuzz_target;
use proofreel::trace;

fuzz_target!(|bytes: &[u8]| {
    let Ok(first) = trace::read(bytes, "fuzz") else {
        return;
    };
    let mut written = Vec::new();
    trace::write(&first, &mut written).expect("memory takes everything");
    let second = trace::read(&written, "again").expect("what was written");
    assert_eq!(first, second);
});
