//! Drawing a whole film: each picture drawn once, converted where it changed, hashed, handed on.

use std::ops::Range;

use super::Film;
use super::paint::{Damage, Painter};
use crate::picture::Yuv420;

/// Who takes the drawn pictures, in order.
pub trait Take {
    /// What can go wrong there.
    type Error;

    /// The picture of frame `n`. `new` is false where it is the one before it, unchanged.
    ///
    /// # Errors
    /// Whatever ends the rendering.
    fn take(&mut self, n: u64, picture: &Yuv420, new: bool) -> Result<(), Self::Error>;
}

/// Who takes the drawn pictures of several stretches of a film, each from its first to its last.
pub trait TakeApart: Sync {
    /// What can go wrong there.
    type Error: Send;
    /// Who takes one stretch.
    type Stretch: Take<Error = Self::Error> + Send;

    /// Begins with the stretch of this index.
    ///
    /// # Errors
    /// If there is nobody to take it.
    fn begin(&self, index: usize) -> Result<Self::Stretch, Self::Error>;
}

/// The digests of frames as they come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digests(Vec<[u8; 32]>);

impl Digests {
    /// Takes the next frame; one that is not `new` has the digest of the one before.
    pub fn add(&mut self, picture: &Yuv420, new: bool) {
        let digest = match self.0.last() {
            Some(last) if !new => *last,
            _ => *blake3::hash(picture.bytes()).as_bytes(),
        };
        self.0.push(digest);
    }

    /// Takes the frames that follow those that are here.
    pub fn append(&mut self, later: &Digests) {
        self.0.extend_from_slice(&later.0);
    }

    /// Each frame's, in hexadecimal.
    pub fn each(&self) -> Vec<String> {
        let hex = |d: &[u8; 32]| blake3::Hash::from_bytes(*d).to_hex().to_string();
        self.0.iter().map(hex).collect()
    }

    /// Reads what `each` wrote; `None` if one is no digest.
    pub fn read(each: &[String]) -> Option<Self> {
        let read = |text: &String| Some(*blake3::Hash::from_hex(text).ok()?.as_bytes());
        each.iter().map(read).collect::<Option<_>>().map(Digests)
    }

    /// BLAKE3 over the per-frame digests, in order, in hexadecimal.
    pub fn of_all(&self) -> String {
        blake3::hash(self.0.as_flattened()).to_hex().to_string()
    }
}

/// Draws the frames `range` of `film` and hands each to `to`.
///
/// With the feature `parallel`, drawing runs on a thread of its own, a few pictures ahead of the
/// taker. The pictures do not depend on it.
///
/// # Errors
/// The taker's.
pub fn render<T: Take>(film: &Film, range: Range<u64>, to: &mut T) -> Result<(), T::Error> {
    #[cfg(feature = "parallel")]
    {
        parallel::render(film, range, to)
    }
    #[cfg(not(feature = "parallel"))]
    {
        let (w, h) = film.request().size;
        Drawer::new(film).hand_on(range, &mut Yuv420::new(w, h), to, || true)
    }
}

/// Draws several stretches of `film` side by side, each on a thread of its own that also hands
/// its pictures on; `done` gets them in order when they are whole. `threads` are at work at a
/// time, and none is more than twice as many stretches ahead of the earliest that is not done.
///
/// # Errors
/// The first of the takers', or that of `done`; everybody stops then.
#[cfg(feature = "parallel")]
pub fn render_apart<A: TakeApart>(
    film: &Film,
    ranges: &[Range<u64>],
    threads: usize,
    apart: &A,
    done: impl FnMut(A::Stretch) -> Result<(), A::Error>,
) -> Result<(), A::Error> {
    parallel::render_apart(film, ranges, threads, apart, done)
}

/// Draws frames one after the other.
struct Drawer<'a> {
    film: &'a Film,
    painter: Painter,
}

impl<'a> Drawer<'a> {
    fn new(film: &'a Film) -> Self {
        let (w, h) = film.request().size;
        Drawer {
            film,
            painter: Painter::new(w, h, film.font().clone()),
        }
    }

    fn compare(&mut self, n: u64) -> Damage {
        self.painter.compare(&self.film.scene().frame(n))
    }

    /// Draws a stretch and hands it on, on this thread, for as long as `on` says so.
    fn hand_on<T: Take>(
        &mut self,
        range: Range<u64>,
        picture: &mut Yuv420,
        to: &mut T,
        mut on: impl FnMut() -> bool,
    ) -> Result<(), T::Error> {
        let first = range.start;
        for n in range {
            if !on() {
                break;
            }
            let damage = self.compare(n);
            if !damage.is_empty() {
                self.painter.draw_into(&damage, &damage, picture);
            }
            to.take(n, picture, n == first || !damage.is_empty())?;
        }
        Ok(())
    }
}

/// Draws single frames as RGBA, in any order.
pub struct Stills<'a>(Drawer<'a>);

impl<'a> Stills<'a> {
    /// Of this film.
    pub fn new(film: &'a Film) -> Self {
        Stills(Drawer::new(film))
    }

    /// The pixels of frame `n`, RGBA without padding.
    pub fn rgba(&mut self, n: u64) -> &[u8] {
        let list = self.0.film.scene().frame(n);
        self.0.painter.paint(&list);
        self.0.painter.rgba()
    }
}

#[cfg(feature = "parallel")]
mod parallel {
    use std::collections::BTreeMap;
    use std::ops::Range;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use crossbeam_channel::bounded;

    use super::{Damage, Drawer, Film, Take, TakeApart, Yuv420};

    /// Pictures in the making: one with the taker, one waiting, one being converted.
    const AHEAD: usize = 3;

    /// A picture buffer that comes and goes, and what was drawn since it was last up to date.
    struct Sheet {
        picture: Yuv420,
        stale: Damage,
    }

    enum Drawn {
        New(usize, Box<Sheet>),
        Same,
    }

    pub fn render<T: Take>(film: &Film, range: Range<u64>, to: &mut T) -> Result<(), T::Error> {
        let (w, h) = film.request().size;
        let (send, receive) = bounded::<Drawn>(64);
        let (give_back, spare) = bounded::<(usize, Box<Sheet>)>(AHEAD + 1);
        for slot in 0..AHEAD {
            let sheet = Sheet {
                picture: Yuv420::new(w, h),
                stale: Damage::full(w, h),
            };
            // The channel has room for all of them.
            let _ = give_back.send((slot, Box::new(sheet)));
        }
        std::thread::scope(|scope| {
            let frames = range.clone();
            let drawer = scope.spawn(move || {
                let mut drawer = Drawer::new(film);
                // What each buffer that is away has missed.
                let mut missed: Vec<Damage> = (0..AHEAD).map(|_| Damage::none(w, h)).collect();
                for n in frames {
                    let damage = drawer.compare(n);
                    let drawn = if damage.is_empty() {
                        Drawn::Same
                    } else {
                        for m in &mut missed {
                            m.union(&damage);
                        }
                        // The taker is gone: so is the reason to draw.
                        let Ok((slot, mut sheet)) = spare.recv() else {
                            return;
                        };
                        sheet.stale.union(&missed[slot]);
                        missed[slot] = Damage::none(w, h);
                        let Sheet { picture, stale } = &mut *sheet;
                        drawer.painter.draw_into(&damage, stale, picture);
                        sheet.stale = Damage::none(w, h);
                        Drawn::New(slot, sheet)
                    };
                    if send.send(drawn).is_err() {
                        return;
                    }
                }
            });
            let mut outcome = Ok(());
            let mut current: Option<(usize, Box<Sheet>)> = None;
            for n in range {
                let Ok(drawn) = receive.recv() else { break };
                let new = match drawn {
                    Drawn::New(slot, sheet) => {
                        if let Some(old) = current.replace((slot, sheet)) {
                            let _ = give_back.send(old);
                        }
                        true
                    }
                    Drawn::Same => false,
                };
                let Some((_, sheet)) = &current else { continue };
                outcome = to.take(n, &sheet.picture, new);
                if outcome.is_err() {
                    break;
                }
            }
            drop(receive);
            drop(give_back);
            if let Err(panic) = drawer.join() {
                resume_unwind(panic);
            }
            outcome
        })
    }

    pub fn render_apart<A: TakeApart>(
        film: &Film,
        ranges: &[Range<u64>],
        threads: usize,
        apart: &A,
        mut done: impl FnMut(A::Stretch) -> Result<(), A::Error>,
    ) -> Result<(), A::Error> {
        let threads = threads.clamp(1, ranges.len().max(1));
        let (w, h) = film.request().size;
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        // Who takes a stretch takes leave first, and leave comes back when a stretch is done in
        // its turn: so the earliest always has a thread, and few wait for it.
        let (allow, leave) = bounded::<()>(threads * 2);
        for _ in 0..threads * 2 {
            // The channel has room for all of them.
            let _ = allow.send(());
        }
        let (hand_in, results) = bounded(threads);
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 0..threads {
                let (leave, hand_in) = (leave.clone(), hand_in.clone());
                let (next, stop) = (&next, &stop);
                workers.push(scope.spawn(move || {
                    let mut drawer = Drawer::new(film);
                    drawer.painter.draw_alone();
                    let mut picture = Yuv420::new(w, h);
                    while leave.recv().is_ok() && !stop.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(range) = ranges.get(index) else {
                            return;
                        };
                        // A panic must reach the caller: nobody would wait for this stretch else.
                        let made = catch_unwind(AssertUnwindSafe(|| {
                            let mut stretch = apart.begin(index)?;
                            let on = || !stop.load(Ordering::Relaxed);
                            drawer.hand_on(range.clone(), &mut picture, &mut stretch, on)?;
                            Ok(stretch)
                        }));
                        let panicked = made.is_err();
                        if hand_in.send((index, made)).is_err() || panicked {
                            return;
                        }
                    }
                }));
            }
            drop((leave, hand_in));
            let mut outcome = Ok(());
            let mut panic = None;
            let mut early = BTreeMap::new();
            let mut turn = 0;
            while turn < ranges.len() && outcome.is_ok() {
                let Ok((index, made)) = results.recv() else {
                    break;
                };
                match made {
                    Ok(Ok(stretch)) => {
                        early.insert(index, stretch);
                    }
                    Ok(Err(error)) => outcome = Err(error),
                    Err(payload) => {
                        panic = Some(payload);
                        break;
                    }
                }
                while outcome.is_ok()
                    && let Some(stretch) = early.remove(&turn)
                {
                    outcome = done(stretch);
                    turn += 1;
                    let _ = allow.send(());
                }
            }
            stop.store(true, Ordering::Relaxed);
            drop((allow, results));
            for worker in workers {
                if let Err(payload) = worker.join() {
                    panic.get_or_insert(payload);
                }
            }
            match panic {
                Some(payload) => resume_unwind(payload),
                None => outcome,
            }
        })
    }
}
