//! Edges: stub.
use super::plan::{Plan, Targets};
use super::report::{Coverage, Finding};
use super::sample::{Scale, View};
use crate::manifest::Manifest;
use crate::trace::Trace;

pub struct Edges {
    pub findings: Vec<Finding>,
}
impl Edges {
    pub fn new(_m: &Manifest, _t: &Trace, _p: &Plan, _s: Scale) -> Self {
        Edges { findings: vec![] }
    }
    pub fn picture(&mut self, _v: &View<'_>, _f: u64, _t: &Targets) {}
    pub fn coverage(&self) -> Coverage {
        Coverage::default()
    }
}
