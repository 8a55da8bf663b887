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

/// BLAKE3 over the per-frame BLAKE3 digests of the drawn frames, in order.
#[derive(Debug, Default)]
pub struct Digest {
    all: blake3::Hasher,
    last: Option<blake3::Hash>,
}

impl Digest {
    /// Takes the next frame.
    pub fn add(&mut self, picture: &Yuv420, new: bool) {
        let hash = match self.last {
            Some(last) if !new => last,
            _ => blake3::hash(picture.bytes()),
        };
        self.all.update(hash.as_bytes());
        self.last = Some(hash);
    }

    /// Takes the digest of a frame that was hashed elsewhere.
    pub fn add_hash(&mut self, hash: &[u8; 32]) {
        self.all.update(hash);
        self.last = None;
    }

    /// The digest of the frame that came last.
    pub fn last(&self) -> Option<[u8; 32]> {
        self.last.map(|h| *h.as_bytes())
    }

    /// In hexadecimal.
    pub fn finish(&self) -> String {
        self.all.finalize().to_hex().to_string()
    }
}

/// Draws the frames `range` of `film` and hands each to `to`.
///
/// With the feature `parallel`, drawing runs on a thread of its own, at most [`AHEAD`] pictures
/// ahead of the taker. The pictures do not depend on it.
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
        let mut drawer = Drawer::new(film);
        let mut picture = Yuv420::new(film.request().size.0, film.request().size.1);
        for n in range {
            let damage = drawer.draw(n);
            drawer.painter.convert(&damage, &mut picture);
            to.take(n, &picture, !damage.is_empty())?;
        }
        Ok(())
    }
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

    fn draw(&mut self, n: u64) -> Damage {
        self.painter.paint(&self.film.scene().frame(n))
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
        self.0.draw(n);
        self.0.painter.rgba()
    }
}

#[cfg(feature = "parallel")]
mod parallel {
    use std::ops::Range;

    use crossbeam_channel::bounded;

    use super::{Damage, Drawer, Film, Take, Yuv420};

    /// Pictures in the making: one with the taker, one waiting, one being converted.
    pub const AHEAD: usize = 3;

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
                    let damage = drawer.draw(n);
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
                        drawer.painter.convert(&sheet.stale, &mut sheet.picture);
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
                std::panic::resume_unwind(panic);
            }
            outcome
        })
    }
}
