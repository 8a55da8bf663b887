//! Compares decoded pictures with the trace; knows nothing of how they are drawn.
//!
//! Three sources are held against each other: the trace, which is verified first, says which
//! colour every cell and vertex has after every event; the manifest, which is checked for sense,
//! says where and when that is to be seen; the decoded pictures show what is there. Every cell and
//! every vertex is looked at in every picture.
//!
//! A film is decoded once. If the order of its frames or its matrix turn out to be wrong, that is
//! a finding of its own, and the film is decoded once more with this understood, so that one
//! dropped frame is not reported as hundreds of wrong colours.

mod align;
mod claims;
mod color;
mod crops;
mod digits;
mod edges;
mod feed;
mod geometry;
mod glance;
mod judge;
mod motion;
mod plan;
mod report;
mod sample;
mod timing;

use std::sync::atomic::{AtomicBool, Ordering};

use crate::decode::{DecodeError, FrameSource, StreamInfo};
use crate::manifest::Manifest;
use crate::puzzle::Puzzle;
use crate::trace::Trace;
use crate::verify;

use align::{Fit, Track};
use color::Encoding;
use crops::Crops;
use feed::Next;
use geometry::Board;
use judge::Judge;
use plan::{Ink, Kind, Plan, Show, Targets};
use sample::{Scale, View};

pub use crops::Crop;
pub use glance::Glance;
pub use report::{
    Checks, Coverage, Expected, Extreme, Finding, Identity, Report, SeenColor, Stream, VERSION,
    Verdict, What, thousands,
};

/// Why a film could not be audited.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The film could not be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The manifest is no usable manifest.
    #[error("the manifest cannot be used: {0}")]
    Manifest(String),
    /// The trace cannot be replayed.
    #[error("the trace cannot be used: {0}")]
    Trace(String),
    /// The film is of a kind that is not judged.
    #[error("refused: {0}")]
    Refused(String),
    /// Stopped from outside.
    #[error("stopped")]
    Stopped,
}

/// Opens the film; asked a second time where it must be decoded again.
pub type Opener<'a> = dyn FnMut() -> Result<Box<dyn FrameSource + Send>, DecodeError> + 'a;

/// What an audit is told beside film, manifest and trace.
#[derive(Default)]
pub struct Options<'a> {
    /// Any difference from the manifest is a mismatch.
    pub strict: bool,
    /// The film begins at this time, in seconds, inside a longer video.
    pub start: Option<f64>,
    /// The film must be of this puzzle.
    pub puzzle: Option<&'a Puzzle>,
    /// SHA-256 of the trace file's bytes, where it is to be held against the manifest.
    pub trace_sha256: Option<String>,
    /// SHA-256 of the film file, where it is to be held against the manifest.
    pub film_sha256: Option<String>,
    /// Findings from outside, such as a manifest that differs from the one that the film carries.
    pub findings: Vec<Finding>,
    /// Notes from outside.
    pub notes: Vec<String>,
    /// Set from outside to end the audit.
    pub interrupt: Option<&'a AtomicBool>,
    /// Told the number of pictures done and expected, now and then.
    pub progress: Option<&'a dyn Fn(u64, u64)>,
    /// Keep crops of what failed in [`Report::crops`].
    pub crops: bool,
    /// Findings kept in the report; 0 for the default of 100.
    pub max_findings: usize,
}

/// Film pixels by which a disc seems to be off its place for each step of noise in its colour.
const BLUR: f64 = 0.15;

/// Branches that the verification's own search for the number of solutions may try here: the
/// audit's question is another one.
const VERIFY_NODES: u64 = 200_000;

/// Audits a film.
///
/// # Errors
/// If nothing could be decided: the film cannot be decoded or is of a kind that is not judged, the
/// manifest or trace cannot be used.
pub fn audit(
    open: &mut Opener<'_>,
    m: &Manifest,
    trace: &Trace,
    options: &Options<'_>,
) -> Result<Report, AuditError> {
    claims::usable(m, trace)?;
    let mut early = options.findings.clone();
    early.extend(trace_findings(m, trace, options)?);
    early.extend(
        claims::contradictions(m, trace)
            .into_iter()
            .map(|c| Finding::whole(What::Manifest, format!("the manifest makes no sense: {c}"))),
    );
    let mut source = open()?;
    let info = source.info().clone();
    refuse_streams(&info)?;
    if !early.is_empty() {
        // Positions and times that cannot be trusted would only make more findings of one lie.
        return Ok(unseen(&info, m, early, options));
    }
    let scale = geometry::scale(&info, m)?;
    let plan = Plan::new(m, trace)?;
    let tagged = Encoding::from_tags(&info);
    let film = Film {
        m,
        trace,
        plan: &plan,
        info: &info,
        scale,
        options,
    };

    let step = timing::step(&info, plan.fps);
    let mut pass = film.pass(source.as_mut(), tagged, &Guess::InStep(step))?;
    drop(source);
    let timing = timing::Timing::new(&pass.track.times, &plan, step, pass.counted, &info);
    let step = timing.step;
    let mut encoding = tagged;
    let mut again = false;
    let mut findings = timing.findings.clone();
    if let Some(other) = pass.judge.other_encoding() {
        findings.push(Finding::whole(
            What::ColorMatrix,
            format!(
                "the pixels were made with {}, and the stream is {} {}; players will show wrong colours",
                other.name(),
                if info.color.matrix.is_some() { "tagged" } else { "untagged, which means" },
                tagged.name()
            ),
        ));
        encoding = other;
        again = true;
    }
    let frames: Vec<u64> = (0..plan.frames).step_by(step.max(1) as usize).collect();
    let targets = Targets::new(&plan, encoding);
    let noise = 2.5 * pass.judge.typical_distance(encoding);
    let noise = [noise, noise.max(6.0 * pass.judge.usual_noise())];
    let blur = (0.5 / scale.x).max(0.5) + BLUR * f64::from(pass.judge.moving_noise());
    let fit = Fit::new(&plan, &targets, &pass.track, noise, blur as f32);
    let mut map = None;
    let suspicious = pass.counted != frames.len() as u64
        || pass.judge.checks.failed > 0
        || pass.step != step
        || fit.as_judged() > 0.4;
    let mut order = Vec::new();
    if suspicious
        && options.start.is_none()
        && pass.track.len() < align::CAPACITY
        && plan.frames < align::CAPACITY as u64
    {
        let alignment = fit.align(&frames, timing.uneven.then_some(timing.rate));
        order = alignment.problems;
        if !order.is_empty() || pass.step != step {
            map = Some(alignment.map);
            again = true;
        }
    }
    let alike = fit.alike_neighbours(&frames);
    findings.extend(count_findings(
        pass.counted,
        frames.len() as u64,
        &order,
        options,
    ));
    if again {
        let guess = map.map_or(Guess::InStep(step), Guess::Map);
        let mut source = open()?;
        pass = film.pass(source.as_mut(), encoding, &guess)?;
    }
    findings.extend(order.iter().map(|p| frame_finding(&plan, p)));
    findings.extend(pass.findings);
    findings.extend(pass.judge.findings.iter().cloned());
    let unkept = pass.judge.findings_total - pass.judge.findings.len() as u64;

    let (tags, tag_findings, mut differences) = tag_words(&info, m);
    findings.extend(tag_findings);
    differences.extend(stream_differences(&info, m, step, options));
    let mut notes = notes(&info, &plan, &pass.judge, step, alike, options);
    notes.extend(timing.notes);
    if options.strict {
        findings.extend(
            differences
                .iter()
                .map(|d| Finding::whole(What::Strict, format!("strict: {d}"))),
        );
    }
    findings.sort_by_key(|f| (f.frame.is_some(), f.frame));
    let findings_total = findings.len() as u64 + unkept;
    let limit = if options.max_findings == 0 {
        100
    } else {
        options.max_findings
    };
    findings.truncate(limit);
    Ok(Report {
        format: "proofreel-audit",
        version: VERSION,
        verdict: if findings_total == 0 {
            Verdict::Match
        } else {
            Verdict::Mismatch
        },
        states: m.states.len() as u64,
        frames: pass.counted,
        frames_checked: pass.checked,
        checks: pass.judge.checks,
        worst_delta: pass.judge.worst.clone(),
        smallest_margin: pass.judge.margin.clone(),
        color_tags: tags,
        pixels: encoding.name().into(),
        stream: stream(&info, timing.measured),
        identity: Identity {
            counted: pass.counted,
            expected: frames.len() as u64,
            step,
            alike_neighbours: alike,
        },
        edges: pass.edges,
        digits: pass.digits,
        differences,
        notes,
        findings_total,
        findings,
        crops: pass.crops,
    })
}

/// Which frame each picture is taken for.
enum Guess {
    /// Every so manieth frame, in order.
    InStep(u64),
    /// As the alignment found.
    Map(Vec<Option<u64>>),
}

/// Everything that does not change from pass to pass.
struct Film<'a> {
    m: &'a Manifest,
    trace: &'a Trace,
    plan: &'a Plan,
    info: &'a StreamInfo,
    scale: Scale,
    options: &'a Options<'a>,
}

/// What one decoding of the film brought.
struct Pass<'a> {
    judge: Judge<'a>,
    track: Track,
    counted: u64,
    checked: u64,
    step: u64,
    edges: Coverage,
    digits: Coverage,
    findings: Vec<Finding>,
    crops: Vec<Crop>,
}

impl<'a> Film<'a> {
    fn pass(
        &self,
        source: &mut (dyn FrameSource + Send),
        encoding: Encoding,
        guess: &Guess,
    ) -> Result<Pass<'a>, AuditError> {
        let plan = self.plan;
        let (w, h, layout) = (self.info.width, self.info.height, self.info.layout);
        let step = match guess {
            Guess::InStep(step) => (*step).max(1),
            Guess::Map(_) => 0,
        };
        let expected = plan.frames.div_ceil(step.max(1));
        let half = 0.5 * f64::from(plan.fps.1) / f64::from(plan.fps.0);
        let targets = Targets::new(plan, encoding);
        let radius: Vec<f64> = self.m.layout.vertices.iter().map(|v| v.radius).collect();
        let mut pass = Pass {
            judge: Judge::new(plan, self.m, self.scale, encoding),
            track: Track::new(2 * plan.n),
            counted: 0,
            checked: 0,
            step,
            edges: Coverage::default(),
            digits: Coverage::default(),
            findings: Vec::new(),
            crops: Vec::new(),
        };
        let mut crops = (self.options.crops)
            .then(|| Crops::new(self.m, self.trace, plan, self.scale, encoding));
        let mut edges = edges::Edges::new(self.m, self.trace, plan, self.scale);
        let mut digits = digits::Digits::new(self.m, self.trace, plan, self.scale);
        // The board is measured once, at the first frame in which it should be whole.
        let whole = self.m.states.first().map_or_else(
            || {
                self.m
                    .segments
                    .iter()
                    .find(|s| s.name == "hold")
                    .map_or(plan.frames - 1, |s| s.first)
            },
            |s| s.settled,
        );
        let mut measured = false;
        feed::run::<AuditError>(source, |data, time| {
            if self
                .options
                .interrupt
                .is_some_and(|i| i.load(Ordering::Relaxed))
            {
                return Err(AuditError::Stopped);
            }
            if self.options.start.is_some_and(|start| time < start - half) {
                return Ok(Next::More);
            }
            let j = pass.counted;
            let frame = match guess {
                Guess::InStep(step) => Some(j * step),
                Guess::Map(map) => map.get(j as usize).copied().flatten(),
            };
            if self.options.start.is_some() && frame.is_none_or(|f| f >= plan.frames) {
                return Ok(Next::Enough);
            }
            pass.counted += 1;
            if let Some(progress) = self.options.progress
                && j.is_multiple_of(32)
            {
                progress(j, expected);
            }
            let Some(f) = frame.filter(|f| *f < plan.frames) else {
                // Beyond the film's end: counted, and kept for the alignment.
                if step > 0 {
                    let last = plan.frames - 1;
                    if let Some(view) = View::new(data, w, h, layout) {
                        let mut beyond = Judge::new(plan, self.m, self.scale, encoding);
                        if j < expected + 64 {
                            beyond.picture(&view, last, false);
                        }
                        pass.track.push(&beyond.seen, None, last, time);
                    }
                }
                return Ok(Next::More);
            };
            let Some(view) = View::new(data, w, h, layout) else {
                return Err(DecodeError(format!("picture {j} is shorter than its size says; decode the film with another decoder")).into());
            };
            let at_rest = self
                .m
                .states
                .binary_search_by_key(&f, |s| s.settled)
                .is_ok();
            let known = pass.judge.findings.len();
            pass.judge.picture(&view, f, at_rest);
            pass.checked += 1;
            let judged = &pass.judge.findings[known..];
            let bad = pass.judge.settled_now;
            if !measured && (f >= whole || (bad.1 as usize > plan.n && bad.0 * 3 > bad.1)) {
                measured = true;
                let ground = targets.get(Kind::Cell, Ink::Behind)[0];
                let contrast = |v: usize| match plan.show(v, f) {
                    Show::Settled(ink) => targets.get(Kind::Cell, ink)[0] - ground,
                    _ => 0.0,
                };
                let lost = bad.0 * 3 > bad.1;
                if let Board::Elsewhere(found) =
                    geometry::board(&view, self.m, self.scale, &contrast, ground, lost)
                {
                    pass.findings.push(Finding::whole(
                        What::Manifest,
                        geometry::judge(found, &view)?,
                    ));
                }
            }
            let blur = BLUR * f64::from(pass.judge.moving_noise());
            let known = [
                pass.findings.len(),
                edges.findings.len(),
                digits.findings.len(),
            ];
            let progress = self.progress(&view, f, &targets, &radius, blur, &mut pass.findings);
            pass.track.push(&pass.judge.seen, progress, f, time);
            edges.picture(&view, f, &targets);
            digits.picture(&view, f, &targets);
            if let Some(crops) = &mut crops {
                let own = pass.findings[known[0]..].iter();
                for finding in judged.iter().chain(own).chain(&edges.findings[known[1]..]) {
                    crops.take(&view, f, finding, None);
                }
                for k in known[2]..digits.findings.len() {
                    crops.take(&view, f, &digits.findings[k], digits.place(k));
                }
            }
            Ok(Next::More)
        })?;
        if self
            .options
            .interrupt
            .is_some_and(|i| i.load(Ordering::Relaxed))
        {
            return Err(AuditError::Stopped);
        }
        if pass.counted == 0 {
            return Err(DecodeError(
                "the film has no picture that can be decoded; it is empty or damaged".into(),
            )
            .into());
        }
        (pass.edges, pass.digits) = (edges.coverage(), digits.coverage());
        pass.crops = crops.map_or(Vec::new(), |c| c.taken);
        pass.findings.extend(edges.findings);
        pass.findings.extend(digits.findings);
        Ok(pass)
    }

    /// How far the vertices have come, where they are on the move or soon will be.
    fn progress(
        &self,
        view: &View<'_>,
        f: u64,
        targets: &Targets,
        radius: &[f64],
        blur: f64,
        findings: &mut Vec<Finding>,
    ) -> Option<f64> {
        let (first, len) = self.plan.regroup()?;
        if !(first.saturating_sub(6)..first + len + 6).contains(&f) {
            return None;
        }
        let colors: Vec<_> = (0..self.plan.n)
            .map(|v| match self.plan.show(self.plan.n + v, f) {
                Show::Settled(ink) => targets.get(Kind::Vertex, ink),
                _ => targets.get(Kind::Vertex, Ink::Behind),
            })
            .collect();
        let ground = targets.get(Kind::Vertex, Ink::Behind);
        let meant = motion::locate(view, self.plan, self.scale, radius, f, &colors);
        if let Some(g) = meant {
            return Some(self.plan.progress(g));
        }
        let motion = motion::measure(
            view,
            self.plan,
            self.scale,
            radius,
            self.plan.progress(f),
            &colors,
            ground,
            blur,
        )?;
        for (v, off) in motion.astray {
            if findings.len() < judge::KEPT {
                let cell = &self.m.layout.vertices[v].cell;
                findings.push(Finding {
                    frame: Some(f),
                    time: Some(format!("{:.3}", self.plan.seconds(f))),
                    cell: Some(cell.clone()),
                    ..Finding::whole(
                        What::Vertex,
                        format!("vertex {cell} stands {off:.1} pixels off its path"),
                    )
                });
            }
        }
        Some(motion.progress)
    }
}

fn trace_findings(
    m: &Manifest,
    trace: &Trace,
    options: &Options<'_>,
) -> Result<Vec<Finding>, AuditError> {
    let mut out = Vec::new();
    let verified = verify::verify(
        trace,
        &verify::Options {
            max_nodes: VERIFY_NODES,
            interrupt: options.interrupt,
            ..verify::Options::default()
        },
    );
    if options.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
        return Err(AuditError::Stopped);
    }
    for fault in verified.faults.iter().take(20) {
        let mut finding = Finding::whole(
            What::Trace,
            format!("the trace is not true: {}", fault.sentence),
        );
        finding.cell = fault.cell.map(|c| c.to_string());
        out.push(finding);
    }
    if !verified.is_truthful() && out.is_empty() {
        out.push(Finding::whole(What::Trace, "the trace is not true"));
    }
    if let Some(why) = options.puzzle.and_then(|p| verify::differs_from(trace, p)) {
        out.push(Finding::whole(
            What::Trace,
            format!("the film is not of the puzzle asked for: {why}"),
        ));
    }
    if let Some(sha) = &options.trace_sha256
        && !sha.eq_ignore_ascii_case(&m.trace.sha256)
    {
        out.push(Finding::whole(
            What::Trace,
            "the trace is not the one that the manifest names: their SHA-256 differ",
        ));
    }
    Ok(out)
}

/// A report of findings that were made before any picture was looked at.
pub fn unseen(
    info: &StreamInfo,
    m: &Manifest,
    mut findings: Vec<Finding>,
    options: &Options<'_>,
) -> Report {
    let total = findings.len() as u64;
    findings.truncate(if options.max_findings == 0 {
        100
    } else {
        options.max_findings
    });
    let mut notes = options.notes.clone();
    notes.push("no picture was looked at, since trace and manifest must be right first".into());
    Report {
        format: "proofreel-audit",
        version: VERSION,
        verdict: Verdict::Mismatch,
        states: m.states.len() as u64,
        frames: 0,
        frames_checked: 0,
        checks: Checks::default(),
        worst_delta: None,
        smallest_margin: None,
        color_tags: tag_words(info, m).0,
        pixels: "not looked at".into(),
        stream: stream(info, 0.0),
        identity: Identity {
            expected: m.film.frames,
            step: 1,
            ..Identity::default()
        },
        edges: Coverage::default(),
        digits: Coverage::default(),
        differences: Vec::new(),
        notes,
        findings_total: total,
        findings,
        crops: Vec::new(),
    }
}

fn refuse_streams(info: &StreamInfo) -> Result<(), AuditError> {
    if info.video_streams > 1 {
        return Err(AuditError::Refused(format!(
            "the file has {} video streams, and which of them is shown is up to the player; keep one (ffmpeg -i FILM -map 0:v:0 -c copy) and audit that",
            info.video_streams
        )));
    }
    Ok(())
}

fn stream(info: &StreamInfo, fps: f64) -> Stream {
    Stream {
        width: info.width,
        height: info.height,
        fps,
        codec: info.codec.clone(),
        pixel_format: info.pixel_format.clone(),
        container: info.container.clone(),
    }
}

fn frame_finding(plan: &Plan, problem: &align::Problem) -> Finding {
    let frame = problem.frame();
    Finding {
        frame: Some(frame),
        time: Some(format!("{:.3}", plan.seconds(frame))),
        state: plan.state(frame),
        ..Finding::whole(What::Frame, problem.words())
    }
}

/// A wrong number of pictures; where frames are named that explain it this is said as well, since
/// durations are wrong then.
fn count_findings(
    counted: u64,
    expected: u64,
    order: &[align::Problem],
    options: &Options<'_>,
) -> Option<Finding> {
    if counted == expected || (options.start.is_some() && counted > expected) {
        return None;
    }
    let named = if order.is_empty() {
        ""
    } else {
        "; the frames are named below"
    };
    Some(Finding::whole(
        What::FrameCount,
        format!("{counted} pictures were decoded, and the film has {expected}{named}"),
    ))
}

/// The tags in a word, findings about them, and differences from the manifest.
fn tag_words(info: &StreamInfo, m: &Manifest) -> (String, Vec<Finding>, Vec<String>) {
    let c = &info.color;
    let (claimed, mut findings, mut differences) = (&m.film.color, Vec::new(), Vec::new());
    let parts = [
        ("matrix", &c.matrix, &claimed.matrix),
        ("primaries", &c.primaries, &claimed.primaries),
        ("transfer", &c.transfer, &claimed.transfer),
        ("range", &c.range, &claimed.range),
    ];
    for (name, is, says) in parts {
        match is {
            Some(is) if is != says => {
                differences.push(format!("{name} is tagged {is}, not {says}"))
            }
            None if name != "matrix" => differences.push(format!("{name} is not tagged")),
            _ => {}
        }
    }
    if c.matrix.is_none() {
        findings.push(Finding::whole(
            What::ColorTags,
            "the stream is untagged: it does not say by which matrix its colours are made, so players guess",
        ));
    }
    let word = match (&c.matrix, &c.primaries, &c.transfer) {
        (None, None, None) => "untagged".to_string(),
        (Some(a), p, t) => {
            let same = |o: &Option<String>| o.as_ref().is_none_or(|o| o == a);
            if same(p) && same(t) {
                a.clone()
            } else {
                format!(
                    "{a} (primaries {}, transfer {})",
                    p.as_deref().unwrap_or("untagged"),
                    t.as_deref().unwrap_or("untagged")
                )
            }
        }
        (None, ..) => "untagged matrix".to_string(),
    };
    (word, findings, differences)
}

fn stream_differences(
    info: &StreamInfo,
    m: &Manifest,
    step: u64,
    options: &Options<'_>,
) -> Vec<String> {
    let f = &m.film;
    let mut out = Vec::new();
    let mut differs = |name: &str, is: String, says: String| {
        if is != says {
            out.push(format!("{name} is {is}, not {says}"));
        }
    };
    differs(
        "the size",
        format!("{}x{}", info.width, info.height),
        format!("{}x{}", f.width, f.height),
    );
    differs("the codec", info.codec.clone(), f.codec.clone());
    differs(
        "the pixel format",
        info.pixel_format.clone(),
        f.pixel_format.clone(),
    );
    if step > 1 {
        out.push(format!("the copy shows every {} frame only", ordinal(step)));
    }
    if let (Some(is), Some(says)) = (&options.film_sha256, &f.sha256)
        && !is.eq_ignore_ascii_case(says)
    {
        out.push("the file is a copy: its SHA-256 is not the manifest's".into());
    }
    out
}

fn ordinal(n: u64) -> String {
    match n {
        2 => "second".into(),
        3 => "third".into(),
        n => format!("{n}th"),
    }
}

fn notes(
    info: &StreamInfo,
    plan: &Plan,
    judge: &Judge<'_>,
    step: u64,
    alike: u64,
    options: &Options<'_>,
) -> Vec<String> {
    let mut out = options.notes.clone();
    if info.audio_streams > 0 {
        out.push(format!(
            "there is sound beside the picture ({} streams), which is not judged",
            info.audio_streams
        ));
    }
    if !info.square_pixels {
        out.push("pixels are not quite square".into());
    }
    let frames = plan.frames.div_ceil(step.max(1));
    if alike > 0 {
        out.push(format!(
            "of {} pairs of neighbouring frames {} look alike in all that is checked; which of two such frames is which cannot be seen",
            thousands(frames.saturating_sub(1)),
            thousands(alike)
        ));
    }
    let bias = judge.mean_bias();
    if bias.iter().any(|b| b.abs() > 3.0) {
        out.push(format!(
            "all colours are shifted by {:+.1}, {:+.1}, {:+.1} (Y, Cb, Cr) on average",
            bias[0], bias[1], bias[2]
        ));
    }
    out
}
