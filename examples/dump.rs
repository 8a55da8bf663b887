use proofreel::film::layout::*;
use proofreel::puzzle::*;
use proofreel::trace::*;
fn main() {
    let mut p = Puzzle::classic();
    let sol = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let sol: Vec<u8> = sol.bytes().map(|b| b - b'0').collect();
    let mut edges = vec![];
    for a in 0..81u16 {
        for b in a + 1..81 {
            let (r, c, s, d) = (a / 9, a % 9, b / 9, b % 9);
            if r == s || c == d || (r / 3 == s / 3 && c / 3 == d / 3) {
                edges.push((a, b));
            }
        }
    }
    p.meta.title = "x".into();
    let t = Trace {
        graph: TraceGraph {
            vertices: p.cells().to_vec(),
            edges: edges.clone(),
        },
        puzzle: p,
        status: Status::Unique,
        unique: Some(true),
        solution: Some(sol.clone()),
        second_solution: None,
        dead_cell: None,
        conflicts: vec![],
        stats: Default::default(),
        trace_complete: true,
        events: vec![],
    };
    let t0 = std::time::Instant::now();
    if std::env::var("QUICK").is_ok() {
        let l = Layout::new(&t, (2560, 1440), None).unwrap();
        let f = Field {
            at: &l.graph.before,
            radius: l.graph.radius,
            edges: &edges,
            ground: [0.0, 0.0, 2560.0, 1440.0],
        };
        eprintln!(
            "{:?} {:?} {:?}",
            std::env::var("TURN"),
            std::env::var("RING"),
            f.clutter(&l.graph.bend_before)
        );
        return;
    }
    let l = Layout::new(&t, (2560, 1440), Some(&sol)).unwrap();
    eprintln!(
        "{:?} r={} cell={} gap={} bounds={:?}",
        t0.elapsed(),
        l.graph.radius,
        l.board.cell,
        l.board.gap,
        l.board.bounds
    );
    let r = l.graph.regrouped.as_ref().unwrap();
    let f = Field {
        at: &l.graph.before,
        radius: l.graph.radius,
        edges: &edges,
        ground: [0.0, 0.0, 2560.0, 1440.0],
    };
    eprintln!(
        "before {:?} straight {:?}",
        f.clutter(&l.graph.bend_before),
        f.clutter(&vec![0.0; 810])
    );
    let f = Field {
        at: &r.after,
        radius: l.graph.radius,
        edges: &edges,
        ground: [0.0, 0.0, 2560.0, 1440.0],
    };
    eprintln!("after {:?}", f.clutter(&r.bend_after));
    let curves = |p: f64| {
        let c = l.centres(p);
        (0..810).map(|e| l.curve(e, &c, p)).collect::<Vec<_>>()
    };
    println!(
        "{}",
        serde_json::json!({"r": l.graph.radius, "before": l.graph.before, "after": r.after, "cb": curves(0.0), "ca": curves(1.0), "cm": curves(0.5), "mid": l.centres(0.5), "colors": sol, "rects": l.board.rects, "grounds": r.grounds})
    );
}
