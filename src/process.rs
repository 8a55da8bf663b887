//! Child processes: the one place that finds, starts, watches and reaps them.
//!
//! What every child gets: a standard input that is ours or closed, never the terminal's; a thread
//! that drains its messages and keeps the last of them; a watch that ends it when it stops
//! answering; and an end on every path, also when the value is dropped and when
//! [`end_all`] is called on Ctrl-C. On Unix a child leads a process group of its own, so that
//! whatever it started ends with it.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ffmpeg_sidecar::command::FfmpegCommand;

/// How long a probe (`ffmpeg -version`) may take.
const PROBE_PATIENCE: Duration = Duration::from_secs(20);
/// The watch looks this often.
const TICK: Duration = Duration::from_millis(100);
/// Messages kept of each child.
const WORDS_KEPT: usize = 12;
/// Longest message kept, in bytes.
const WORD_BYTES: usize = 4096;

/// Why a child process gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// There is no such program.
    #[error("{program} was not found on PATH")]
    Missing {
        /// "ffmpeg" or "ffprobe".
        program: &'static str,
    },
    /// It is there and cannot be started.
    #[error("{program} cannot be started: {source}")]
    Start {
        /// "ffmpeg" or "ffprobe".
        program: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// It ended with an error.
    #[error("{program} {how}{}", said(.words))]
    Failed {
        /// "ffmpeg" or "ffprobe".
        program: &'static str,
        /// "ended with exit status 1", "was killed by signal 9".
        how: String,
        /// The end of its messages, may be empty.
        words: String,
    },
    /// It stopped answering and was ended.
    #[error("{program} did nothing for {seconds} seconds and was ended{}", said(.words))]
    Hung {
        /// "ffmpeg" or "ffprobe".
        program: &'static str,
        /// How long it was given.
        seconds: u64,
        /// The end of its messages, may be empty.
        words: String,
    },
    /// It was ended by [`end_all`].
    #[error("{program} was stopped on request")]
    Stopped {
        /// "ffmpeg" or "ffprobe".
        program: &'static str,
    },
    /// Its output makes no sense.
    #[error("{program} answered what cannot be understood: {what}")]
    Answer {
        /// "ffmpeg" or "ffprobe".
        program: &'static str,
        /// What is wrong with it.
        what: String,
    },
}

/// The tail of a sentence that quotes a child.
fn said(words: &str) -> String {
    if words.is_empty() {
        " without a message".to_string()
    } else {
        format!("; it said: {words}")
    }
}

/// How to get ffmpeg.
pub const INSTALL_FFMPEG: &str = "install ffmpeg 5.1 or newer (apt install ffmpeg, \
     brew install ffmpeg, winget install ffmpeg)";

/// Which program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// The encoder and decoder.
    Ffmpeg,
    /// The inspector that comes with it.
    Ffprobe,
}

impl Program {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Program::Ffmpeg => "ffmpeg",
            Program::Ffprobe => "ffprobe",
        }
    }

    /// Where it is: beside this executable, else wherever PATH finds it.
    pub fn path(self) -> PathBuf {
        match self {
            Program::Ffmpeg => ffmpeg_sidecar::paths::ffmpeg_path(),
            Program::Ffprobe => ffmpeg_sidecar::ffprobe::ffprobe_path(),
        }
    }
}

/// A way to write a path that ffmpeg cannot take for an option, a protocol or a pattern.
pub fn file_argument(path: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from("file:");
    argument.push(path);
    argument
}

/// Takes each message of a child as it comes; true means that it is not to be kept.
pub type OnMessage = Box<dyn FnMut(&str) -> bool + Send>;

/// What is to be started, and how it is to be watched.
pub struct Launch<'a> {
    /// Which program.
    pub program: Program,
    /// Its arguments.
    pub args: Vec<&'a OsStr>,
    /// Ended when it neither takes nor gives anything for this long while we wait for it.
    pub patience: Duration,
    /// Called with each message, on the draining thread.
    pub on_message: Option<OnMessage>,
}

/// Why we ended a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    Hung,
    OnRequest,
}

/// What the owner of a child, its watch and [`end_all`] share.
struct Shared {
    child: Mutex<std::process::Child>,
    /// Set once it is reaped: its process number is no longer ours.
    reaped: AtomicBool,
    /// Whether the owner waits for the child now; drawing may take as long as it likes.
    waiting: AtomicBool,
    /// Grows with everything that the child took or gave.
    progress: AtomicU64,
    ended: Mutex<Option<Ended>>,
    words: Mutex<VecDeque<String>>,
}

/// Locks, also where another thread panicked: none of what is locked here can be half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All children that are not yet reaped.
static LIVE: Mutex<Vec<Arc<Shared>>> = Mutex::new(Vec::new());
/// Set by [`end_all`]: no child is started any more.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Ends every child process and lets none start any more. For the handler of Ctrl-C.
pub fn end_all() {
    STOPPED.store(true, Ordering::SeqCst);
    let live: Vec<_> = lock(&LIVE).iter().cloned().collect();
    for shared in live {
        shared.end(Ended::OnRequest);
    }
}

/// How many children are started and not yet reaped.
pub fn live_children() -> usize {
    lock(&LIVE).len()
}

impl Shared {
    /// Kills the child and all that it started, unless it is reaped already.
    fn end(&self, why: Ended) {
        let mut child = lock(&self.child);
        if self.reaped.load(Ordering::SeqCst) {
            return;
        }
        lock(&self.ended).get_or_insert(why);
        #[cfg(unix)]
        kill_group(child.id());
        // The error is "it has ended already", which is what is wanted.
        let _ = child.kill();
    }

    fn try_reap(self: &Arc<Self>) -> io::Result<Option<ExitStatus>> {
        let mut child = lock(&self.child);
        let status = child.try_wait()?;
        if status.is_some() {
            self.reaped.store(true, Ordering::SeqCst);
            lock(&LIVE).retain(|other| !Arc::ptr_eq(other, self));
        }
        Ok(status)
    }
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(pid) = i32::try_from(leader) {
        // The error is "no such group", which is what is wanted.
        let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
    }
}

/// A running child. Dropped, it is ended and reaped.
pub struct Child {
    program: Program,
    patience: Duration,
    shared: Arc<Shared>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    threads: Vec<JoinHandle<()>>,
    watch_over: Arc<AtomicBool>,
}

impl Child {
    /// Starts a program with pipes for its input, output and messages.
    ///
    /// # Errors
    /// If there is no such program or it cannot be started.
    pub fn start(launch: Launch<'_>) -> Result<Self, ProcessError> {
        let program = launch.program;
        if STOPPED.load(Ordering::SeqCst) {
            return Err(ProcessError::Stopped {
                program: program.name(),
            });
        }
        let mut command = Command::from(FfmpegCommand::new_with_path(program.path()));
        command.args(&launch.args);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Messages are read by us, so they must not come in another language.
        command.env("LC_ALL", "C").env_remove("FFREPORT");
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);

        let mut child = command.spawn().map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => ProcessError::Missing {
                program: program.name(),
            },
            _ => ProcessError::Start {
                program: program.name(),
                source,
            },
        })?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        widen(stdin.as_ref(), stdout.as_ref());
        let shared = Arc::new(Shared {
            child: Mutex::new(child),
            reaped: AtomicBool::new(false),
            waiting: AtomicBool::new(false),
            progress: AtomicU64::new(0),
            ended: Mutex::new(None),
            words: Mutex::new(VecDeque::new()),
        });
        lock(&LIVE).push(Arc::clone(&shared));
        let watch_over = Arc::new(AtomicBool::new(false));
        // From here on, dropping `running` cleans up, whatever fails.
        let mut running = Child {
            program,
            patience: launch.patience,
            shared,
            stdin,
            stdout,
            threads: Vec::new(),
            watch_over,
        };
        if STOPPED.load(Ordering::SeqCst) {
            running.shared.end(Ended::OnRequest);
        }
        if let Some(stderr) = stderr {
            let shared = Arc::clone(&running.shared);
            let on_message = launch.on_message;
            running.spawn("messages", move || drain(stderr, &shared, on_message))?;
        }
        let shared = Arc::clone(&running.shared);
        let over = Arc::clone(&running.watch_over);
        let patience = running.patience;
        running.spawn("watch", move || watch(&shared, &over, patience))?;
        Ok(running)
    }

    fn spawn(
        &mut self,
        role: &str,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<(), ProcessError> {
        let name = format!("{} {role}", self.program.name());
        let thread = thread::Builder::new()
            .name(name)
            .spawn(work)
            .map_err(|source| ProcessError::Start {
                program: self.program.name(),
                source,
            })?;
        self.threads.push(thread);
        Ok(())
    }

    /// Writes all of `bytes` to the child's standard input.
    ///
    /// # Errors
    /// If the child takes no more; the error is why it ended, where it did.
    pub fn write_all(&mut self, bytes: &[u8]) -> Result<(), ProcessError> {
        let Some(stdin) = self.stdin.as_mut() else {
            return Err(self.failure("takes no more input"));
        };
        self.shared.waiting.store(true, Ordering::SeqCst);
        let mut rest = bytes;
        let result = loop {
            if rest.is_empty() {
                break Ok(());
            }
            match stdin.write(rest) {
                Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => {
                    rest = &rest[n..];
                    self.shared.progress.fetch_add(1, Ordering::SeqCst);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => break Err(e),
            }
        };
        self.shared.waiting.store(false, Ordering::SeqCst);
        result.map_err(|_| self.failure("took no more input"))
    }

    /// Fills `buffer` from the child's standard output as far as it goes; fewer bytes than asked
    /// for mean that the output has ended.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_full(&mut self, buffer: &mut [u8]) -> Result<usize, ProcessError> {
        let Some(stdout) = self.stdout.as_mut() else {
            return Ok(0);
        };
        self.shared.waiting.store(true, Ordering::SeqCst);
        let mut filled = 0;
        let result = loop {
            if filled == buffer.len() {
                break Ok(filled);
            }
            match stdout.read(&mut buffer[filled..]) {
                Ok(0) => break Ok(filled),
                Ok(n) => {
                    filled += n;
                    self.shared.progress.fetch_add(1, Ordering::SeqCst);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => break Err(e),
            }
        };
        self.shared.waiting.store(false, Ordering::SeqCst);
        result.map_err(|e| self.failure(&format!("could not be read from ({e})")))
    }

    /// Closes the child's standard input, which tells it that nothing more will come.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the child to end by itself.
    ///
    /// # Errors
    /// If it ended with an error, stopped answering, or was ended on request.
    pub fn finish(mut self) -> Result<(), ProcessError> {
        self.stdin = None;
        // What it still writes goes nowhere; an unread pipe must not block it.
        if let Some(mut stdout) = self.stdout.take() {
            self.shared.waiting.store(true, Ordering::SeqCst);
            let _ = io::copy(&mut stdout, &mut io::sink());
        }
        let status = self.reap();
        self.verdict(status)
    }

    /// The end of the child's messages so far, in one line.
    pub fn last_words(&self) -> String {
        let words = lock(&self.shared.words);
        let mut text = words.iter().cloned().collect::<Vec<_>>().join(" / ");
        if let Some((at, _)) = text.char_indices().rev().nth(600) {
            text.replace_range(..at, "…");
        }
        text
    }

    /// Waits until it has ended and its threads with it.
    fn reap(&mut self) -> io::Result<ExitStatus> {
        self.shared.waiting.store(true, Ordering::SeqCst);
        let mut pause = Duration::from_micros(200);
        let status = loop {
            match self.shared.try_reap() {
                Ok(Some(status)) => break Ok(status),
                Ok(None) => {}
                Err(e) => break Err(e),
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        self.shared.waiting.store(false, Ordering::SeqCst);
        self.join();
        status
    }

    fn join(&mut self) {
        self.watch_over.store(true, Ordering::SeqCst);
        for thread in &self.threads {
            thread.thread().unpark();
        }
        let mut waited = Duration::ZERO;
        while self.threads.iter().any(|t| !t.is_finished()) {
            // A grandchild may still hold the pipe of the messages.
            #[cfg(unix)]
            if waited == Duration::from_secs(1) {
                kill_group(lock(&self.shared.child).id());
            }
            if waited >= Duration::from_secs(3) {
                break;
            }
            let pause = Duration::from_millis(1);
            thread::sleep(pause);
            waited += pause;
        }
        for thread in self.threads.drain(..) {
            if thread.is_finished() {
                // A panic there has been printed, and left nothing half done that matters here.
                let _ = thread.join();
            }
        }
    }

    /// Ends and reaps the child, and says why it failed: the root cause where it has one.
    fn failure(&mut self, otherwise: &str) -> ProcessError {
        self.stdin = None;
        self.stdout = None;
        // It may be about to say why; if it goes on, it is ended.
        let mut waited = Duration::ZERO;
        while waited < Duration::from_secs(2)
            && !self.shared.reaped.load(Ordering::SeqCst)
            && !matches!(self.shared.try_reap(), Ok(Some(_)) | Err(_))
        {
            let pause = Duration::from_millis(10);
            thread::sleep(pause);
            waited += pause;
        }
        let ended_by_itself = self.shared.reaped.load(Ordering::SeqCst);
        if !ended_by_itself {
            self.shared.end(Ended::Hung);
            let gave = matches!(*lock(&self.shared.ended), Some(Ended::Hung));
            let _ = self.reap();
            if gave {
                return ProcessError::Failed {
                    program: self.program.name(),
                    how: otherwise.to_string(),
                    words: self.last_words(),
                };
            }
        }
        let status = self.reap();
        match self.verdict(status) {
            Err(error) => error,
            Ok(()) => ProcessError::Failed {
                program: self.program.name(),
                how: format!("{otherwise} and ended as if all were well"),
                words: self.last_words(),
            },
        }
    }

    fn verdict(&self, status: io::Result<ExitStatus>) -> Result<(), ProcessError> {
        let program = self.program.name();
        match *lock(&self.shared.ended) {
            Some(Ended::OnRequest) => return Err(ProcessError::Stopped { program }),
            Some(Ended::Hung) => {
                return Err(ProcessError::Hung {
                    program,
                    seconds: self.patience.as_secs(),
                    words: self.last_words(),
                });
            }
            None => {}
        }
        let how = match status {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => describe(status),
            Err(e) => format!("could not be waited for ({e})"),
        };
        Err(ProcessError::Failed {
            program,
            how,
            words: self.last_words(),
        })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.stdin = None;
        self.stdout = None;
        if !self.shared.reaped.load(Ordering::SeqCst) {
            self.shared.end(Ended::OnRequest);
            let _ = self.reap();
        } else {
            self.join();
        }
    }
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("ended with exit status {code}"),
        None => "ended without an exit status".to_string(),
    }
}

/// Asks for pipes that hold a megabyte, so that a picture changes hands in few turns. A matter of
/// speed only: where it is refused, nothing is lost.
#[allow(unused_variables)]
fn widen(stdin: Option<&ChildStdin>, stdout: Option<&ChildStdout>) {
    #[cfg(target_os = "linux")]
    {
        use nix::fcntl::{FcntlArg, fcntl};
        if let Some(pipe) = stdin {
            let _ = fcntl(pipe, FcntlArg::F_SETPIPE_SZ(1 << 20));
        }
        if let Some(pipe) = stdout {
            let _ = fcntl(pipe, FcntlArg::F_SETPIPE_SZ(1 << 20));
        }
    }
}

/// Ends a child that does nothing while it is waited for. Ticks are counted instead of time, so
/// that a pause of the whole machine or of this process is not held against the child.
fn watch(shared: &Shared, over: &AtomicBool, patience: Duration) {
    let mut seen = u64::MAX;
    let mut idle = Duration::ZERO;
    while !over.load(Ordering::SeqCst) {
        thread::park_timeout(TICK);
        let progress = shared.progress.load(Ordering::SeqCst);
        if progress != seen || !shared.waiting.load(Ordering::SeqCst) {
            seen = progress;
            idle = Duration::ZERO;
            continue;
        }
        idle += TICK;
        if idle > patience {
            shared.end(Ended::Hung);
            return;
        }
    }
}

/// Reads a child's messages to their end, line by line.
fn drain(mut stderr: impl Read, shared: &Shared, mut on_message: Option<OnMessage>) {
    let mut buffer = [0u8; 8192];
    let mut line = Vec::new();
    let mut take = |line: &mut Vec<u8>| {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if !text.is_empty() && !on_message.as_mut().is_some_and(|f| f(text)) {
            let mut words = lock(&shared.words);
            if words.len() == WORDS_KEPT {
                words.pop_front();
            }
            words.push_back(readable(text));
        }
        line.clear();
    };
    loop {
        let n = match stderr.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        shared.progress.fetch_add(1, Ordering::SeqCst);
        for &byte in &buffer[..n] {
            match byte {
                b'\n' | b'\r' => take(&mut line),
                _ if line.len() < WORD_BYTES => line.push(byte),
                _ => {}
            }
        }
    }
    take(&mut line);
}

/// A message of ffmpeg without memory addresses and levels: `[mov,mp4 @ 0x55d0] [error] moov atom
/// not found` becomes `mov,mp4: moov atom not found`.
pub(crate) fn readable(text: &str) -> String {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix('[') {
        let Some((tag, after)) = inner.split_once(']') else {
            break;
        };
        let name = tag.split(" @ ").next().unwrap_or(tag);
        if !LEVELS.contains(&name) {
            parts.push(name.to_string());
        }
        rest = after.trim_start();
    }
    if parts.is_empty() {
        rest.to_string()
    } else {
        format!("{}: {rest}", parts.join(" "))
    }
}

/// The names that ffmpeg gives the severity of a message.
const LEVELS: [&str; 8] = [
    "panic", "fatal", "error", "warning", "info", "verbose", "debug", "trace",
];

/// Runs a program to its end and returns what it wrote to standard output.
///
/// # Errors
/// If it cannot be started, fails, takes longer than `patience` without a sign of life, or writes
/// more than `limit` bytes.
pub fn capture(
    program: Program,
    args: &[&OsStr],
    patience: Duration,
    limit: usize,
) -> Result<Vec<u8>, ProcessError> {
    let mut child = Child::start(Launch {
        program,
        args: args.to_vec(),
        patience,
        on_message: None,
    })?;
    child.close_input();
    let mut output = Vec::new();
    let mut buffer = vec![0u8; 64 * 1024];
    loop {
        let n = child.read_full(&mut buffer)?;
        output.extend_from_slice(&buffer[..n]);
        if n < buffer.len() {
            break;
        }
        if output.len() > limit {
            return Err(ProcessError::Answer {
                program: program.name(),
                what: format!("more than {limit} bytes"),
            });
        }
    }
    child.finish()?;
    Ok(output)
}

/// What is known of the ffmpeg that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ffmpeg {
    /// Its version as it states it, such as "5.1.9-0+deb12u1".
    pub version: String,
    /// Whether it can encode H.264 with libx264.
    pub libx264: bool,
    /// Whether ffprobe is there too, which decoding needs.
    pub ffprobe: bool,
}

impl Ffmpeg {
    /// Looks for ffmpeg and asks it what it can do.
    ///
    /// # Errors
    /// If it is missing, cannot be started, fails, or answers what ffmpeg would not.
    pub fn probe() -> Result<Self, ProcessError> {
        let version = version_of(Program::Ffmpeg)?;
        let encoders = capture(
            Program::Ffmpeg,
            &[OsStr::new("-hide_banner"), OsStr::new("-encoders")],
            PROBE_PATIENCE,
            1 << 20,
        )?;
        let libx264 = String::from_utf8_lossy(&encoders)
            .lines()
            .any(|line| line.split_whitespace().nth(1) == Some("libx264"));
        Ok(Ffmpeg {
            version,
            libx264,
            ffprobe: version_of(Program::Ffprobe).is_ok(),
        })
    }
}

/// The version that a program states.
fn version_of(program: Program) -> Result<String, ProcessError> {
    let output = capture(program, &[OsStr::new("-version")], PROBE_PATIENCE, 1 << 20)?;
    let text = String::from_utf8_lossy(&output);
    let first = text.lines().next().unwrap_or("").trim();
    first
        .strip_prefix(program.name())
        .and_then(|rest| rest.trim_start().strip_prefix("version "))
        .and_then(|rest| rest.split_whitespace().next())
        .map(str::to_string)
        .ok_or_else(|| ProcessError::Answer {
            program: program.name(),
            what: if first.is_empty() {
                "it states no version".to_string()
            } else {
                format!(
                    "instead of its version, {:?}",
                    first.chars().take(80).collect::<String>()
                )
            },
        })
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn messages_lose_addresses_and_levels() {
        assert_eq!(
            readable("[mov,mp4,m4a,3gp,3g2,mj2 @ 0x5581] [error] moov atom not found"),
            "mov,mp4,m4a,3gp,3g2,mj2: moov atom not found"
        );
        assert_eq!(readable("[error] Conversion failed!"), "Conversion failed!");
        assert_eq!(readable("plain"), "plain");
        assert_eq!(readable("[odd"), "[odd");
    }
}
