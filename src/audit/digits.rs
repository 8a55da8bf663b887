//! Digits: stub.
use super::plan::Targets;
use super::report::{Coverage, Finding};
use super::sample::{Scale, View};
use crate::manifest::Manifest;
use crate::trace::Trace;

pub struct Digits {
    pub findings: Vec<Finding>,
}
impl Digits {
    pub fn new(_m: &Manifest, _t: &Trace, _s: Scale) -> Self {
        Digits { findings: vec![] }
    }
    pub fn picture(&mut self, _v: &View<'_>, _f: u64, _t: &Targets) {}
    pub fn coverage(&self) -> Coverage {
        Coverage::default()
    }
}
