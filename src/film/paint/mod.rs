//! Pixels from a display list.
//!
//! A [`Painter`] keeps the picture it drew last and redraws only the tiles that differ. The
//! pixels depend on the list alone: not on the lists before, the threads or the machine. To that
//! end every pixel is a function of its place and the items that touch it, floating-point
//! arithmetic is confined to the operations that IEEE 754 defines exactly (+, -, *, /, square
//! root), and sums that could be taken in different orders are taken in integers.

mod curves;
mod damage;
mod diff;
mod mask;
mod png;
mod profile;
mod shapes;
mod text;
mod tile;
mod ycbcr;

pub use damage::{Damage, TILE};
pub use mask::Mask;
pub use png::{PngError, write_png};
pub use text::{Font, FontError};

use super::display::{CurveBatch, DisplayList, Item, Polyline, Symbol};
use crate::picture::Yuv420;
use curves::Strokes;
use damage::Bounds;
use multiversion::multiversion;
use profile::Profile;
use std::collections::BTreeMap;
use std::sync::Arc;
use tile::{Tile, weight};

/// Bytes of masks that are kept for later frames.
const MASK_BYTES: usize = 24 << 20;

/// Draws display lists of one size, one after the other.
pub struct Painter {
    width: u32,
    height: u32,
    font: Arc<Font>,
    /// Whether large changes are shared out among threads.
    #[cfg(feature = "parallel")]
    shared: bool,
    rgba: Vec<u8>,
    list: Option<DisplayList>,
    ready: Vec<Ready>,
    cache: Cache,
    continued: Vec<Option<usize>>,
}

/// An item with what drawing it needs.
struct Ready {
    bounds: Bounds,
    art: Art,
}

enum Art {
    /// The item says it all.
    Plain,
    /// A mask and by how much it is moved.
    Mask(Arc<Mask>, [i32; 2]),
    Strokes(Strokes),
}

/// Shapes and memory that outlive a frame.
#[derive(Default)]
struct Cache {
    profiles: Vec<Arc<Profile>>,
    symbols: BTreeMap<(Symbol, u32, [u8; 2]), Arc<Mask>>,
    texts: BTreeMap<(Arc<str>, u32, [u8; 2]), Arc<Mask>>,
    bytes: usize,
    lines: Vec<(Arc<Polyline>, Arc<Mask>)>,
    spare: Vec<Strokes>,
}

impl Painter {
    /// For pictures of a size; odd sizes are rounded up to even ones, as in [`Yuv420`].
    pub fn new(width: u32, height: u32, font: Arc<Font>) -> Self {
        let mut painter = Painter {
            width: 0,
            height: 0,
            font,
            #[cfg(feature = "parallel")]
            shared: true,
            rgba: Vec::new(),
            list: None,
            ready: Vec::new(),
            cache: Cache::default(),
            continued: Vec::new(),
        };
        painter.resize(width, height);
        painter
    }

    /// From now on draws on the calling thread alone: for those who draw several pictures at once.
    #[cfg(feature = "parallel")]
    pub fn draw_alone(&mut self) {
        self.shared = false;
    }

    fn resize(&mut self, width: u32, height: u32) {
        let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
        if (self.width, self.height) != (width, height) {
            (self.width, self.height) = (width, height);
            self.rgba.clear();
            self.rgba.resize(width as usize * height as usize * 4, 255);
            self.list = None;
        }
    }

    /// Draws a list and says what differs from the picture before. The first list, one with
    /// another background, and one of another size differ everywhere.
    pub fn paint(&mut self, list: &DisplayList) -> Damage {
        let damage = self.compare(list);
        self.draw(&damage, None);
        damage
    }

    /// Says what a list changes, and remembers the list; [`Painter::draw_into`] is to follow,
    /// unless nothing changes.
    pub fn compare(&mut self, list: &DisplayList) -> Damage {
        self.resize(list.size.0, list.size.1);
        let mut damage = Damage::none(self.width, self.height);
        self.update(list, &mut damage);
        match &mut self.list {
            Some(before) => before.clone_from(list),
            None => self.list = Some(list.clone()),
        }
        damage
    }

    /// Draws what [`Painter::compare`] said, and brings the part `stale` of `picture` up to date as
    /// [`Painter::convert`] does, while the pixels are still in the processor's caches.
    pub fn draw_into(&mut self, damage: &Damage, stale: &Damage, picture: &mut Yuv420) {
        if stale.size() == self.size() && (picture.width(), picture.height()) == self.size() {
            self.draw(damage, Some((stale, picture)));
        } else {
            self.draw(damage, None);
            self.convert(stale, picture);
        }
    }

    /// The picture, RGBA without padding, opaque.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Width and height of the picture in pixels, even.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Brings the damaged part of `picture` up to date with the picture drawn last: BT.709,
    /// limited range. With everything damaged this is the whole conversion, and any sequence of
    /// parts gives the same bytes. A `picture` of another size is replaced.
    pub fn convert(&self, damage: &Damage, picture: &mut Yuv420) {
        let mut whole = None;
        if (picture.width(), picture.height()) != self.size() {
            *picture = Yuv420::new(self.width, self.height);
            whole = Some(Damage::full(self.width, self.height));
        } else if damage.size() != self.size() {
            whole = Some(Damage::full(self.width, self.height));
        }
        let stale = whole.as_ref().unwrap_or(damage);
        let width = self.width as usize;
        let [ys, us, vs] = picture.planes_mut();
        let luma = width * TILE as usize;
        let planes = ys
            .chunks_mut(luma)
            .zip(us.chunks_mut(luma / 4))
            .zip(vs.chunks_mut(luma / 4));
        let rows = self.rgba.chunks(width * 4 * TILE as usize);
        for (i, (rows, ((y, u), v))) in rows.zip(planes).enumerate() {
            ycbcr::convert_row(i as u32, rows, width, stale, [y, u, v]);
        }
    }

    /// Makes `ready` that of `list`, and marks what differs.
    fn update(&mut self, list: &DisplayList, damage: &mut Damage) {
        let before = self.list.as_ref();
        let old: &[Item] = before.map_or(&[], |l| &l.items);
        diff::continued(old, &list.items, &mut self.continued);
        if before.is_none_or(|l| l.background != list.background) {
            damage.mark_all();
        }
        let mut retired: Vec<Option<Ready>> = std::mem::take(&mut self.ready)
            .into_iter()
            .map(Some)
            .collect();
        let mut ready = Vec::with_capacity(list.items.len());
        // Between two continued items, batches of curves that changed are compared in order.
        let mut i = 0;
        let mut j = 0;
        while j < list.items.len() || i < old.len() {
            let next = (j..list.items.len()).find(|j| self.continued[*j].is_some());
            let new_end = next.unwrap_or(list.items.len());
            let old_end = next.and_then(|j| self.continued[j]).unwrap_or(old.len());
            let mut partners = (i..old_end)
                .filter_map(|i| match &old[i] {
                    Item::Curves(batch) => Some((i, batch)),
                    _ => None,
                })
                .peekable();
            let mut compared = Vec::new();
            for item in &list.items[j..new_end] {
                let made = self.cache.prepare(item, &self.font, damage);
                let partner = match item {
                    Item::Curves(batch) => partners
                        .next_if(|(_, old)| old.width == batch.width && old.color == batch.color)
                        .map(|(i, old)| (i, old, batch)),
                    _ => None,
                };
                let earlier = partner
                    .and_then(|(i, old, new)| Some((i, old, new, retired.get(i)?.as_ref()?)));
                match (&made.art, earlier) {
                    (Art::Strokes(new), Some((i, old_batch, new_batch, earlier))) => {
                        if let Art::Strokes(old) = &earlier.art {
                            mark_changed(old_batch, old, new_batch, new, damage);
                            compared.push(i);
                        } else {
                            new.mark(damage);
                        }
                    }
                    _ => mark(item, &made, damage),
                }
                ready.push(made);
            }
            for (i, item) in old.iter().enumerate().take(old_end).skip(i) {
                if let Some(gone) = retired.get_mut(i).and_then(Option::take) {
                    if !compared.contains(&i) {
                        mark(item, &gone, damage);
                    }
                    if let Art::Strokes(strokes) = gone.art {
                        self.cache.spare.push(strokes);
                    }
                }
            }
            // Enough for a frame's batches; what a long film once needed is not kept for ever.
            self.cache.spare.truncate(32);
            (i, j) = (old_end, new_end);
            if let Some(next) = next {
                ready.extend(retired.get_mut(i).and_then(Option::take));
                (i, j) = (i + 1, next + 1);
            }
        }
        self.cache.lines.retain(|(line, _)| {
            list.items
                .iter()
                .any(|item| matches!(item, Item::Line(l) if shape_of(l) == shape_of(line)))
        });
        self.ready = ready;
    }

    /// Redraws the damaged tiles, a row of tiles at a time, and converts what is stale of each row.
    fn draw(&mut self, damage: &Damage, into: Option<(&Damage, &mut Yuv420)>) {
        let stride = self.width as usize * 4;
        let chunk = stride * TILE as usize;
        let (Some(list), true) = (&self.list, chunk > 0) else {
            return;
        };
        let ready = &self.ready;
        let width = self.width as usize;
        let planes = into.map(|(stale, picture)| (stale, picture.planes_mut()));
        let (stale, [ys, us, vs]) = match planes {
            Some((stale, planes)) => (Some(stale), planes),
            None => (None, Default::default()),
        };
        // A row of tiles of each plane; of none where nothing is to be converted.
        let luma = if stale.is_some() {
            width * TILE as usize
        } else {
            1
        };
        let chroma = luma.div_ceil(4);
        let row = |row: usize, rows: &mut [u8], planes: [&mut [u8]; 3]| {
            draw_row(row as u32, rows, stride, list, ready, damage);
            if let Some(stale) = stale {
                ycbcr::convert_row(row as u32, rows, width, stale, planes);
            }
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            // Few tiles are sooner drawn than shared out.
            if self.shared && damage.tiles() > 48 && rayon::current_num_threads() > 1 {
                let rows = self.rgba.par_chunks_mut(chunk);
                if stale.is_none() {
                    rows.enumerate()
                        .for_each(|(i, rows)| row(i, rows, Default::default()));
                    return;
                }
                let planes = ys
                    .par_chunks_mut(luma)
                    .zip(us.par_chunks_mut(chroma))
                    .zip(vs.par_chunks_mut(chroma));
                rows.zip(planes)
                    .enumerate()
                    .for_each(|(i, (rows, ((y, u), v)))| row(i, rows, [y, u, v]));
                return;
            }
        }
        let mut planes = ys
            .chunks_mut(luma)
            .zip(us.chunks_mut(chroma))
            .zip(vs.chunks_mut(chroma));
        for (i, rows) in self.rgba.chunks_mut(chunk).enumerate() {
            let planes = planes.next().map(|((y, u), v)| [y, u, v]);
            row(i, rows, planes.unwrap_or_default());
        }
    }
}

/// Redraws the damaged tiles of one row of tiles, whose pixels are `rows`. Its arithmetic is exact
/// in IEEE 754 or in whole numbers, on any registers.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2", "x86_64+sse4.1"))]
fn draw_row(
    row: u32,
    rows: &mut [u8],
    stride: usize,
    list: &DisplayList,
    ready: &[Ready],
    damage: &Damage,
) {
    let top = (row * TILE) as i32;
    let bottom = top + (rows.len() / stride) as i32;
    let width = (stride / 4) as i32;
    for (first, end) in damage.runs(row) {
        let area = Bounds {
            left: (first * TILE) as i32,
            top,
            right: ((end * TILE) as i32).min(width),
            bottom,
        };
        let mut run = Tile {
            rows: &mut *rows,
            stride,
            area,
            top,
        };
        run.fill(area, list.background, 65536);
        for (item, ready) in list.items.iter().zip(ready) {
            if ready.bounds.intersect(&area).is_empty() {
                continue;
            }
            match (item, &ready.art) {
                (Item::Curves(batch), Art::Strokes(strokes)) => {
                    for column in first..end {
                        let left = (column * TILE) as i32;
                        run.area = Bounds {
                            left,
                            right: (left + TILE as i32).min(width),
                            ..area
                        };
                        strokes.draw(batch, column, row, &mut run);
                    }
                    run.area = area;
                }
                _ => draw_item(item, &ready.art, &mut run),
            }
        }
    }
}

#[inline(always)]
fn draw_item(item: &Item, art: &Art, tile: &mut Tile<'_>) {
    match (item, art) {
        (Item::Rect { rect, color, alpha }, _) => {
            tile.fill(Bounds::of_rect(*rect), *color, weight(*alpha));
        }
        (
            Item::Frame {
                rect,
                width,
                color,
                alpha,
            },
            _,
        ) => {
            tile.frame(Bounds::of_rect(*rect), *width, *color, weight(*alpha));
        }
        (
            Item::Disc {
                at,
                radius,
                color,
                alpha,
            },
            _,
        ) => {
            tile.disc(*at, *radius, *color, weight(*alpha));
        }
        (
            Item::Ring {
                at,
                radius,
                width,
                color,
                alpha,
            },
            _,
        ) => {
            tile.ring(*at, *radius, *width, *color, weight(*alpha));
        }
        (
            Item::Shape { color, alpha, .. } | Item::Text { color, alpha, .. },
            Art::Mask(mask, [x, y]),
        ) => tile.mask(mask, *x, *y, *color, weight(*alpha)),
        (Item::Line(line), Art::Mask(mask, [x, y])) => {
            tile.mask(mask, *x, *y, line.color, weight(line.alpha));
        }
        (Item::Curves(_) | Item::Shape { .. } | Item::Text { .. } | Item::Line(_), _) => {}
    }
}

/// Marks the tiles that an item touches.
fn mark(item: &Item, ready: &Ready, damage: &mut Damage) {
    match (item, &ready.art) {
        (_, Art::Strokes(strokes)) => strokes.mark(damage),
        (Item::Frame { rect, width, .. }, _) => {
            for side in tile::frame_sides(Bounds::of_rect(*rect), *width) {
                damage.mark(side);
            }
        }
        _ => damage.mark(ready.bounds),
    }
}

/// Marks the tiles of the curves in which two batches of one colour and width differ.
fn mark_changed(
    old_batch: &CurveBatch,
    old: &Strokes,
    new_batch: &CurveBatch,
    new: &Strokes,
    damage: &mut Damage,
) {
    let same = old_batch
        .curves
        .iter()
        .zip(&new_batch.curves)
        .filter(|(a, b)| a == b)
        .count();
    if same * 2 < new_batch.curves.len() {
        old.mark(damage);
        new.mark(damage);
        return;
    }
    let both = old_batch.curves.len().min(new_batch.curves.len());
    for (i, (a, b)) in old_batch.curves.iter().zip(&new_batch.curves).enumerate() {
        if a != b {
            old.mark_curve(i, damage);
            new.mark_curve(i, damage);
        }
    }
    for i in both..old_batch.curves.len() {
        old.mark_curve(i, damage);
    }
    for i in both..new_batch.curves.len() {
        new.mark_curve(i, damage);
    }
}

/// What a path's mask depends on.
fn shape_of(line: &Polyline) -> (&[[f32; 2]], bool, f32, [f32; 2]) {
    (&line.points, line.closed, line.width, line.dash)
}

impl Cache {
    fn prepare(&mut self, item: &Item, font: &Font, damage: &Damage) -> Ready {
        let (width, height) = damage.size();
        let picture = Bounds {
            left: 0,
            top: 0,
            right: width as i32,
            bottom: height as i32,
        };
        let plain = |bounds| Ready {
            bounds,
            art: Art::Plain,
        };
        let masked = |mask: Arc<Mask>, [x, y]: [i32; 2]| Ready {
            bounds: mask.bounds(x, y),
            art: Art::Mask(mask, [x, y]),
        };
        match item {
            Item::Rect { rect, .. } | Item::Frame { rect, .. } => plain(Bounds::of_rect(*rect)),
            Item::Disc { at, radius, .. } => plain(Bounds::around(*at, radius + 1.0)),
            Item::Ring {
                at, radius, width, ..
            } => plain(Bounds::around(*at, radius + width / 2.0 + 1.0)),
            Item::Shape {
                symbol, at, size, ..
            } => {
                let place = shapes::Place::of(*at);
                masked(self.symbol(*symbol, *size, place.phase), place.pixel)
            }
            Item::Text { text, at, size, .. } => {
                let place = shapes::Place::of(*at);
                masked(self.text(font, text, *size, place.phase), place.pixel)
            }
            Item::Line(line) => masked(self.line(line, picture), [0, 0]),
            Item::Curves(batch) => {
                let profile = self.profile(batch.width);
                let mut strokes = self.spare.pop().unwrap_or_default();
                strokes.prepare(batch, profile, damage.columns(), damage.rows());
                Ready {
                    bounds: picture,
                    art: Art::Strokes(strokes),
                }
            }
        }
    }

    fn profile(&mut self, width: f32) -> Arc<Profile> {
        if let Some(profile) = self.profiles.iter().find(|p| p.is_for(width)) {
            return profile.clone();
        }
        // A stroke that grows has a width of its own in every frame.
        if self.profiles.len() >= 16 {
            self.profiles.remove(0);
        }
        let profile = Arc::new(Profile::new(width));
        self.profiles.push(profile.clone());
        profile
    }

    fn symbol(&mut self, symbol: Symbol, size: f32, phase: [u8; 2]) -> Arc<Mask> {
        let key = (symbol, size.to_bits(), phase);
        if let Some(mask) = self.symbols.get(&key) {
            return mask.clone();
        }
        let mask = Arc::new(shapes::symbol(symbol, size, phase));
        self.make_room(&mask);
        self.symbols.insert(key, mask.clone());
        mask
    }

    fn text(&mut self, font: &Font, text: &Arc<str>, size: f32, phase: [u8; 2]) -> Arc<Mask> {
        let key = (text.clone(), size.to_bits(), phase);
        if let Some(mask) = self.texts.get(&key) {
            return mask.clone();
        }
        let at = phase.map(|p| f32::from(p) / mask::FINE as f32);
        let mask = Arc::new(font.place(text, size, at));
        self.make_room(&mask);
        self.texts.insert(key, mask.clone());
        mask
    }

    fn make_room(&mut self, mask: &Mask) {
        self.bytes += mask.coverage.len() + 128;
        if self.bytes > MASK_BYTES {
            self.symbols.clear();
            self.texts.clear();
            self.bytes = mask.coverage.len() + 128;
        }
    }

    fn line(&mut self, line: &Arc<Polyline>, picture: Bounds) -> Arc<Mask> {
        if let Some((_, mask)) = self
            .lines
            .iter()
            .find(|(l, _)| shape_of(l) == shape_of(line))
        {
            return mask.clone();
        }
        let mask = Arc::new(shapes::polyline(line, picture));
        self.lines.push((line.clone(), mask.clone()));
        mask
    }
}
