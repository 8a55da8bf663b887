//! The manifest checked for sense: against itself and against the trace, before any picture.
//!
//! The audit takes positions and times from the manifest, so a manifest that contradicts itself or
//! the trace is a lie found; one that cannot be read at all is an error.

use crate::manifest::{Manifest, RectPx, Span};
use crate::trace::{Event, Trace};

use super::AuditError;
use super::color::{Encoding, Matrix, distance, parse_hex};

/// Frames that a film may have at most: one day at 60 a second. A larger claim is a slip or an
/// attack on the memory of whoever checks it.
const MAX_FRAMES: u64 = 24 * 3600 * 60;

/// Colours nearer than this in YCbCr cannot be told apart in a compressed film.
const DISTINCT: f32 = 12.0;

/// Refuses what could not even be worked with: sizes, counts and numbers out of all bounds.
///
/// # Errors
/// If a list has the wrong length, a number is not finite, or a colour cannot be read.
pub fn usable(m: &Manifest, trace: &Trace) -> Result<(), AuditError> {
    let bad = |what: String| Err(AuditError::Manifest(what));
    if m.format != "proofreel-manifest" {
        return bad(format!(
            "its format is \"{}\" and not \"proofreel-manifest\"; give the manifest of this film",
            short(&m.format)
        ));
    }
    if m.version != crate::manifest::VERSION {
        return bad(format!(
            "it is of version {}, and this program reads version {}; use a program of its time",
            m.version,
            crate::manifest::VERSION
        ));
    }
    if let Some(part) = &m.part {
        return Err(AuditError::Refused(format!(
            "the film is part {} of {}; put the parts together with `proofreel join` and audit the \
             whole",
            part.index, part.of
        )));
    }
    let (w, h) = (m.film.width, m.film.height);
    if !(16..=16384).contains(&w) || !(16..=16384).contains(&h) {
        return bad(format!(
            "film.width and film.height {w}x{h} are out of range"
        ));
    }
    if m.film.frames == 0 || m.film.frames > MAX_FRAMES {
        return bad(format!("film.frames {} is out of range", m.film.frames));
    }
    if parse_fps(&m.film.fps).is_none() {
        return bad(format!(
            "film.fps \"{}\" is not a fraction such as 60/1",
            short(&m.film.fps)
        ));
    }
    let n = trace.graph.vertices.len();
    if n == 0 || n > crate::puzzle::MAX_CELLS {
        return bad("the trace has no cells to look for".into());
    }
    for (name, len) in [
        ("layout.cells", m.layout.cells.len()),
        ("layout.vertices", m.layout.vertices.len()),
    ] {
        if len != n {
            return bad(format!(
                "{name} lists {len} places, and the trace has {n} cells; they do not belong together"
            ));
        }
    }
    let mut numbers: Vec<f64> = vec![m.layout.edges.width];
    for c in &m.layout.cells {
        numbers.extend(
            c.rect
                .iter()
                .chain(&c.sample)
                .chain(c.glyph.iter().flatten()),
        );
    }
    for v in &m.layout.vertices {
        numbers.push(v.radius);
        numbers.extend(v.sample.iter().chain(&v.before));
        numbers.extend(v.control.iter().flatten().chain(v.after.iter().flatten()));
        numbers.extend(v.glyph.iter().flatten().chain(v.mark.iter().flatten()));
    }
    if let Some(r) = &m.regroup {
        numbers.extend(&r.progress);
    }
    if let Some(b) = &m.layout.edges.bend {
        numbers.extend(b.before.iter().chain(&b.after).flatten());
    }
    numbers.extend(m.states.iter().flat_map(|s| &s.mix));
    numbers.extend(m.layout.fades.iter().flat_map(|f| &f.mix));
    if numbers.iter().any(|v| !v.is_finite() || v.abs() > 1e6) {
        return bad("a position or a progress value is not a usable number".into());
    }
    let p = &m.palette;
    for (name, text) in [
        ("background", &p.background),
        ("empty_cell", &p.empty_cell),
        ("empty_vertex", &p.empty_vertex),
    ] {
        if parse_hex(text).is_none() {
            return bad(format!(
                "palette.{name} \"{}\" is not like #1a2b3c",
                short(text)
            ));
        }
    }
    for c in &p.colors {
        if parse_hex(&c.rgb).is_none() {
            return bad(format!(
                "palette colour {} has rgb \"{}\", which is not like #1a2b3c",
                c.color,
                short(&c.rgb)
            ));
        }
    }
    for color in 1..=trace.puzzle.digits {
        if p.colors.iter().filter(|c| c.color == color).count() != 1 {
            return bad(format!(
                "palette.colors must list colour {color} exactly once"
            ));
        }
    }
    if parse_hex(&m.layout.edges.rgba).is_none() {
        return bad("layout.edges.rgba is not like #1a2b3c4d".into());
    }
    if m.layout.glyphs.len() > 64
        || m.layout.glyphs.iter().any(|g| {
            let cells = u64::from(g.width) * u64::from(g.height);
            cells == 0
                || cells > 1 << 20
                || g.coverage.len() as u64 != cells * 2
                || !g.coverage.bytes().all(|b| b.is_ascii_hexdigit())
                || parse_hex(&g.rgb).is_none()
        })
    {
        return bad("layout.glyphs has a glyph whose coverage does not fit its size".into());
    }
    Ok(())
}

/// What the manifest claims that cannot all be true: sentences, empty where it makes sense.
pub fn contradictions(m: &Manifest, trace: &Trace) -> Vec<String> {
    let mut out = Vec::new();
    names_and_places(m, trace, &mut out);
    palette(m, &mut out);
    spans(m, trace, &mut out);
    segments(m, &mut out);
    states(m, trace, &mut out);
    regroup(m, trace, &mut out);
    edges(m, trace, &mut out);
    glyphs(m, trace, &mut out);
    out
}

fn names_and_places(m: &Manifest, trace: &Trace, out: &mut Vec<String>) {
    let (w, h) = (f64::from(m.film.width), f64::from(m.film.height));
    let inside = |r: &RectPx| {
        r[2] > 0.0
            && r[3] > 0.0
            && r[0] >= 0.0
            && r[1] >= 0.0
            && r[0] + r[2] <= w
            && r[1] + r[3] <= h
    };
    for ((c, v), cell) in m
        .layout
        .cells
        .iter()
        .zip(&m.layout.vertices)
        .zip(&trace.graph.vertices)
    {
        let name = cell.to_string();
        if c.cell != name || v.cell != name {
            out.push(format!(
                "the layout lists \"{}\" and \"{}\" where the trace has {name}",
                short(&c.cell),
                short(&v.cell)
            ));
            return;
        }
        if !inside(&c.rect) {
            out.push(format!(
                "the tile of {name} does not lie inside the picture"
            ));
        }
        if !within(&c.sample, &c.rect) {
            out.push(format!(
                "the sample of cell {name} does not lie inside its tile"
            ));
        }
        if c.sample[2] < c.rect[2] * 0.2 || c.sample[2] * c.sample[3] < c.rect[2] * c.rect[3] * 0.02
        {
            out.push(format!(
                "the sample of cell {name} is too small to prove its colour"
            ));
        }
        if c.rect[2] < 4.0 || c.rect[3] < 4.0 || v.radius < 2.0 {
            out.push(format!("cell or vertex {name} is too small to be seen"));
        }
        let s = &v.sample;
        let corner = [s[0], s[0] + s[2]]
            .iter()
            .flat_map(|x| [s[1], s[1] + s[3]].map(|y| (x * x + y * y).sqrt()))
            .fold(0.0, f64::max);
        if s[2] < v.radius * 0.3 || s[3] < v.radius * 0.15 || corner > v.radius {
            out.push(format!("the sample of vertex {name} does not fit its disc"));
        }
        // Most of the disc must be left to show its colour.
        if let Some(k) = &v.mark
            && (!within(
                k,
                &[
                    -0.6 * v.radius,
                    -0.6 * v.radius,
                    1.2 * v.radius,
                    1.2 * v.radius,
                ],
            ) || k[2] > v.radius
                || k[3] > v.radius)
        {
            out.push(format!(
                "what vertex {name} carries does not leave enough of its disc free"
            ));
        }
        for at in std::iter::once(&v.before).chain(&v.after) {
            let r = v.radius;
            if !inside(&[at[0] - r, at[1] - r, 2.0 * r, 2.0 * r]) {
                out.push(format!("vertex {name} does not lie inside the picture"));
            }
        }
    }
    let cells = &m.layout.cells;
    let vertices = &m.layout.vertices;
    for i in 0..cells.len() {
        for j in i + 1..cells.len() {
            let (a, b) = (&cells[i], &cells[j]);
            if overlap(&a.rect, &b.rect) {
                out.push(format!("the tiles of {} and {} overlap", a.cell, b.cell));
            }
            if !grid_order(&a.rect, &b.rect, trace, i, j) {
                out.push(format!(
                    "the tiles of {} and {} are not in grid order",
                    a.cell, b.cell
                ));
            }
            let (a, b) = (&vertices[i], &vertices[j]);
            let near = |p: &[f64; 2], q: &[f64; 2]| {
                let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
                dx * dx + dy * dy < (a.radius + b.radius).powi(2) * 0.999
            };
            if near(&a.before, &b.before)
                || matches!((&a.after, &b.after), (Some(p), Some(q)) if near(p, q))
            {
                out.push(format!(
                    "vertices {} and {} overlap at rest",
                    a.cell, b.cell
                ));
            }
        }
        for v in vertices {
            let r = v.radius;
            for at in std::iter::once(&v.before).chain(&v.after) {
                if overlap(
                    &cells[i].rect,
                    &[at[0] - r * 0.7, at[1] - r * 0.7, r * 1.4, r * 1.4],
                ) {
                    out.push(format!(
                        "vertex {} lies on the tile of {}",
                        v.cell, cells[i].cell
                    ));
                }
            }
        }
        if out.len() > 40 {
            return;
        }
    }
}

/// Cells of one row stand side by side from left to right, rows one under the other.
fn grid_order(a: &RectPx, b: &RectPx, trace: &Trace, i: usize, j: usize) -> bool {
    let (p, q) = (trace.graph.vertices[i], trace.graph.vertices[j]);
    let ordered = |pa: u16, pb: u16, xa: f64, wa: f64, xb: f64, wb: f64| match pa.cmp(&pb) {
        std::cmp::Ordering::Less => xa + wa <= xb + 1e-6,
        std::cmp::Ordering::Greater => xb + wb <= xa + 1e-6,
        std::cmp::Ordering::Equal => (xa - xb).abs() < 1e-6 && (wa - wb).abs() < 1e-6,
    };
    ordered(p.col, q.col, a[0], a[2], b[0], b[2]) && ordered(p.row, q.row, a[1], a[3], b[1], b[3])
}

fn palette(m: &Manifest, out: &mut Vec<String>) {
    let encoding = Encoding::new(Matrix::Bt709, false);
    let mut all: Vec<(String, [u8; 3])> = vec![];
    for (name, text) in [
        ("empty_cell", &m.palette.empty_cell),
        ("empty_vertex", &m.palette.empty_vertex),
    ] {
        if let Some((rgb, _)) = parse_hex(text) {
            all.push((name.into(), rgb));
        }
    }
    // The two empty colours never have to be told from one another.
    let empties = all.len();
    for c in &m.palette.colors {
        if let Some((rgb, _)) = parse_hex(&c.rgb) {
            all.push((format!("colour {}", c.color), rgb));
        }
    }
    for i in 0..all.len() {
        for j in (i + 1).max(empties)..all.len() {
            if distance(encoding.encode(all[i].1), encoding.encode(all[j].1)) < DISTINCT {
                out.push(format!(
                    "the palette's {} and {} are too alike to be told apart",
                    all[i].0, all[j].0
                ));
            }
        }
    }
}

fn spans(m: &Manifest, trace: &Trace, out: &mut Vec<String>) {
    let frames = m.film.frames;
    let search = m
        .segments
        .iter()
        .find(|s| s.name == "search")
        .map(|s| s.first);
    let ok = |s: &Span| s[0] <= s[1] && s[1] <= frames;
    let mut appears_early = |what: &str,
                             name: &str,
                             appears: &Span,
                             given: Option<&Span>,
                             reveal: Option<&Span>,
                             is_given: bool| {
        if !ok(appears) || given.is_some_and(|g| !ok(g)) || reveal.is_some_and(|r| !ok(r)) {
            out.push(format!(
                "a span of {what} {name} is not in order or leaves the film"
            ));
            return;
        }
        if given.is_some() != is_given {
            out.push(format!(
                "{what} {name} is {} in the manifest, and {} in the trace",
                if is_given { "no given" } else { "a given" },
                if is_given { "is one" } else { "is not" }
            ));
        }
        let rest = given.map_or(appears[1], |g| g[1]);
        if given.is_some_and(|g| g[0] < appears[1]) {
            out.push(format!(
                "{what} {name} takes its given colour before it has appeared"
            ));
        }
        if search.is_some_and(|s| rest > s) {
            out.push(format!(
                "{what} {name} is not at rest when the search begins"
            ));
        }
        if reveal.is_some_and(|r| r[0] < rest) {
            out.push(format!(
                "{what} {name} reveals its digit before it has appeared"
            ));
        }
    };
    let given = trace.puzzle.given_colors();
    for (i, (c, v)) in m.layout.cells.iter().zip(&m.layout.vertices).enumerate() {
        let is_given = given.get(i).is_some_and(|&c| c != 0);
        appears_early(
            "cell",
            &c.cell,
            &c.appears,
            c.given.as_ref(),
            c.reveal.as_ref(),
            is_given,
        );
        appears_early(
            "vertex",
            &v.cell,
            &v.appears,
            v.given.as_ref(),
            v.reveal.as_ref(),
            is_given,
        );
    }
    if !ok(&m.layout.edges.appears) {
        out.push("the span of the edges is not in order or leaves the film".into());
    }
    let reveal = m.segments.iter().find(|s| s.name == "reveal");
    for (what, name, span) in m
        .layout
        .cells
        .iter()
        .map(|c| ("cell", &c.cell, c.reveal))
        .chain(
            m.layout
                .vertices
                .iter()
                .map(|v| ("vertex", &v.cell, v.reveal)),
        )
    {
        if let (Some(span), Some(r)) = (span, reveal)
            && (span[0] < r.first || span[1] > r.last + 1)
        {
            out.push(format!(
                "the digit of {what} {name} is not revealed in the reveal segment"
            ));
        }
    }
    for f in &m.layout.fades {
        if f.mix.len() as u64 != f.frames || !rising(&f.mix) {
            out.push(format!(
                "the fade of {} frames does not rise from 0 to 1",
                f.frames
            ));
        }
    }
}

/// Values from 0 to 1 that never fall.
fn rising(values: &[f64]) -> bool {
    values.iter().all(|v| (-1e-9..=1.0 + 1e-9).contains(v))
        && values.windows(2).all(|w| w[0] <= w[1] + 1e-9)
}

fn segments(m: &Manifest, out: &mut Vec<String>) {
    let mut next = 0;
    for s in &m.segments {
        if s.first != next || s.last < s.first {
            out.push(format!(
                "segment \"{}\" runs from frame {} to {}, and frame {next} should come next",
                short(&s.name),
                s.first,
                s.last
            ));
            return;
        }
        next = s.last + 1;
    }
    if next != m.film.frames {
        out.push(format!(
            "the segments make {next} frames together, and film.frames says {}",
            m.film.frames
        ));
    }
    const ORDER: [&str; 6] = ["intro", "search", "solved", "regroup", "reveal", "hold"];
    let places: Option<Vec<usize>> = m
        .segments
        .iter()
        .map(|s| ORDER.iter().position(|n| *n == s.name))
        .collect();
    if !places.is_some_and(|p| p.windows(2).all(|w| w[0] < w[1])) {
        out.push("the segments are not those of a film, each once and in order".into());
    }
}

fn states(m: &Manifest, trace: &Trace, out: &mut Vec<String>) {
    let events = trace
        .events
        .iter()
        .filter(|e| !matches!(e, Event::Solved))
        .count() as u64;
    let search = m.segments.iter().find(|s| s.name == "search");
    let (mut event, mut frame) = (None, search.map_or(0, |s| s.first));
    for (k, s) in m.states.iter().enumerate() {
        if s.event >= events || event.is_some_and(|e| s.event <= e) {
            out.push(format!(
                "state {k} ends with event {}, which is out of order",
                s.event
            ));
            return;
        }
        if s.starts != frame || s.settled < s.starts || s.last < s.settled {
            out.push(format!(
                "state {k} runs over frames {} to {}, at rest from {}, and frame {frame} should come next",
                s.starts, s.last, s.settled
            ));
            return;
        }
        if !s.mix.is_empty() && (s.mix.len() as u64 != s.settled - s.starts || !rising(&s.mix)) {
            out.push(format!(
                "the mixture of state {k} does not rise from 0 to 1"
            ));
        }
        event = Some(s.event);
        frame = s.last + 1;
    }
    if event.map_or(0, |e| e + 1) != events {
        out.push(format!(
            "the states end with event {}, and the trace has {events} events to show",
            event.map_or_else(|| "none".into(), |e| e.to_string())
        ));
    }
    match search {
        Some(s) if s.last + 1 != frame => out.push(format!(
            "the states end before frame {frame}, and the search segment with frame {}",
            s.last
        )),
        None if events > 0 => out.push("there are events, and no search segment".into()),
        _ => {}
    }
}

fn regroup(m: &Manifest, trace: &Trace, out: &mut Vec<String>) {
    let segment = m.segments.iter().find(|s| s.name == "regroup");
    let moved = m
        .layout
        .vertices
        .iter()
        .filter(|v| v.after.is_some() && v.control.is_some())
        .count();
    match (&m.regroup, segment) {
        (None, None) => {
            if moved > 0 {
                out.push("vertices have a place after regroup, and there is no regroup".into());
            }
        }
        (Some(r), Some(s)) => {
            if r.first != s.first || r.progress.len() as u64 != s.last - s.first + 1 {
                out.push("regroup.progress does not cover the regroup segment".into());
            }
            let ends = (r.progress.first(), r.progress.last());
            if !rising(&r.progress)
                || !matches!(ends, (Some(a), Some(b)) if *a < 0.2 && (*b - 1.0).abs() < 1e-6)
            {
                out.push("regroup.progress does not rise from 0 to 1".into());
            }
            if moved != m.layout.vertices.len() {
                out.push("some vertices have no path for regroup".into());
            } else {
                groups(m, trace, out);
            }
        }
        _ => out.push("regroup is in one of segments and movement only".into()),
    }
}

/// After regroup, vertices of one colour stand together: the nearest of another colour is farther
/// than the nearest of the own.
fn groups(m: &Manifest, trace: &Trace, out: &mut Vec<String>) {
    let Some(solution) = &trace.solution else {
        out.push("there is a regroup, and the trace has no solution".into());
        return;
    };
    let v = &m.layout.vertices;
    for i in 0..v.len() {
        let nearest = |same: bool| {
            (0..v.len())
                .filter(|&j| j != i && (solution.get(j) == solution.get(i)) == same)
                .filter_map(|j| {
                    let (p, q) = (v[i].after?, v[j].after?);
                    Some((p[0] - q[0]).hypot(p[1] - q[1]))
                })
                .fold(f64::INFINITY, f64::min)
        };
        let (own, other) = (nearest(true), nearest(false));
        if own.is_finite() && other < own {
            out.push(format!(
                "vertex {} does not stand with its colour after regroup",
                v[i].cell
            ));
        }
    }
}

fn edges(m: &Manifest, trace: &Trace, out: &mut Vec<String>) {
    let n = trace.graph.edges.len();
    if let Some(b) = &m.layout.edges.bend {
        if b.kind != "quadratic" {
            out.push(format!(
                "edges bend by \"{}\", which is not known",
                short(&b.kind)
            ));
        }
        if b.before.len() != n {
            out.push(format!(
                "{} edges are bent, and the trace has {n}",
                b.before.len()
            ));
        }
        if m.regroup.is_some() && b.after.len() != n {
            out.push(format!(
                "{} edges are bent after regroup, and the trace has {n}",
                b.after.len()
            ));
        }
        let most = f64::from(m.film.width.max(m.film.height));
        if b.before
            .iter()
            .chain(&b.after)
            .flatten()
            .any(|v| v.abs() > most)
        {
            out.push("an edge is bent beyond all measure".into());
        }
    }
    if m.layout.edges.width <= 0.0 || m.layout.edges.width > 20.0 {
        out.push("the edges' width is out of range".into());
    }
}

fn glyphs(m: &Manifest, trace: &Trace, out: &mut Vec<String>) {
    let glyphs = &m.layout.glyphs;
    let placed = m.layout.cells.iter().any(|c| c.glyph.is_some())
        || m.layout.vertices.iter().any(|v| v.glyph.is_some());
    if m.layout
        .cells
        .iter()
        .any(|c| c.reveal.is_some() && c.glyph.is_none())
    {
        out.push("a cell reveals a digit and says not where".into());
    }
    for c in &m.layout.cells {
        if let Some(g) = &c.glyph
            && (!within(g, &c.rect) || g[2] * g[3] < 0.02 * c.rect[2] * c.rect[3])
        {
            out.push(format!(
                "the digit of cell {} does not lie on its tile",
                c.cell
            ));
        }
    }
    for v in &m.layout.vertices {
        let r = v.radius;
        if let Some(g) = &v.glyph
            && (!within(g, &[-r, -r, 2.0 * r, 2.0 * r]) || g[2] * g[3] < 0.05 * r * r)
        {
            out.push(format!(
                "the digit of vertex {} does not lie on its disc",
                v.cell
            ));
        }
    }
    if placed {
        for color in 1..=trace.puzzle.digits {
            let mut own = glyphs.iter().filter(|g| g.color == color);
            match (own.next(), own.next()) {
                (Some(g), None) if g.text == color.to_string() => {}
                (Some(g), None) => out.push(format!(
                    "the digit of colour {color} is written \"{}\"",
                    short(&g.text)
                )),
                _ => out.push(format!(
                    "layout.glyphs must show colour {color} exactly once"
                )),
            }
        }
        for (i, a) in glyphs.iter().enumerate() {
            for b in &glyphs[i + 1..] {
                if a.coverage == b.coverage {
                    out.push(format!(
                        "the digits of colours {} and {} look the same",
                        a.color, b.color
                    ));
                }
            }
        }
    }
}

/// A frame rate such as "60/1".
pub fn parse_fps(text: &str) -> Option<(u32, u32)> {
    let (num, den) = match text.split_once('/') {
        Some((n, d)) => (n.parse().ok()?, d.parse().ok()?),
        None => (text.parse().ok()?, 1),
    };
    let rate = f64::from(num) / f64::from(den);
    (num > 0 && den > 0 && (1.0..=1000.0).contains(&rate)).then_some((num, den))
}

fn within(inner: &RectPx, outer: &RectPx) -> bool {
    const SLACK: f64 = 1e-6;
    inner[2] > 0.0
        && inner[3] > 0.0
        && inner[0] >= outer[0] - SLACK
        && inner[1] >= outer[1] - SLACK
        && inner[0] + inner[2] <= outer[0] + outer[2] + SLACK
        && inner[1] + inner[3] <= outer[1] + outer[3] + SLACK
}

fn overlap(a: &RectPx, b: &RectPx) -> bool {
    a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3]
}

/// At most forty characters of a stranger's text.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
