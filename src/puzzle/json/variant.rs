//! Names of variants, which people write where a rule type belongs.

/// How the rules of the variant of this name are expressed, or `None` if it is not the name of
/// one. Case, hyphens, spaces and an added "sudoku" do not matter.
pub fn hint(name: &str) -> Option<&'static str> {
    let plain: String = name
        .to_ascii_lowercase()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let plain = plain.strip_suffix("sudoku").unwrap_or(&plain);
    let plain = plain.strip_suffix('s').unwrap_or(plain);
    VARIANTS
        .iter()
        .find(|(names, _)| names.contains(&plain))
        .map(|(_, hint)| *hint)
}

const HOUSES: &str = "each extra region is a house rule";
const NONE: &str = "no rule type of this format expresses them";

/// Names in the singular, lower case, without "sudoku".
const VARIANTS: &[(&[&str], &str)] = &[
    (
        &[
            "argyle",
            "windoku",
            "window",
            "hyper",
            "nrc",
            "x",
            "diagonal",
            "diagonalx",
            "asterisk",
            "centerdot",
            "centredot",
            "girandola",
            "disjointgroup",
            "disjoint",
            "offset",
            "color",
            "colour",
            "extraregion",
            "extra",
            "cross",
            "scattered",
            "pinwheel",
        ],
        HOUSES,
    ),
    (
        &["jigsaw", "irregular", "nonomino", "chaos", "geometric"],
        "a grid without \"boxes\" in houses, and each region as a house rule",
    ),
    (
        &[
            "samurai",
            "gattai",
            "shogun",
            "butterfly",
            "multi",
            "multigrid",
            "sohei",
        ],
        "each grid is an entry of grids",
    ),
    (
        &["latinsquare", "latin"],
        "a grid with \"rows\" and \"cols\" alone in houses",
    ),
    (
        &["quadruple", "quad", "quadcircle", "corner"],
        "each ring is a contains rule",
    ),
    (
        &["twin", "siamesetwin", "isomorph", "isomorphic"],
        "an isomorphic rule relates the two regions",
    ),
    (&["cloned", "clonezone"], "a clone rule lists the regions"),
    (
        &["countingcircle", "circle", "counting", "circlecount"],
        "a count rule with \"kind\": \"circles\"",
    ),
    (
        &[
            "pointing",
            "pointingarrow",
            "searchnine",
            "search9",
            "finder",
            "eliminate",
        ],
        "each arrow is an appears rule",
    ),
    (&["entropy", "entropic"], "a global_entropy rule"),
    (
        &["nabner", "distinct", "differentdigit", "visiblecount"],
        "each clue is a distinct_count rule",
    ),
    (
        &["regionsum", "regionsumline", "equalsumline", "equalsums"],
        "each line is an equal_sum rule with its segments",
    ),
    (&["v", "vudoku", "vlines"], "each V is a vudoku rule"),
    (
        &[
            "killer",
            "cage",
            "killercage",
            "littlekiller",
            "thermo",
            "thermometer",
            "arrow",
            "kropki",
            "xv",
            "sandwich",
            "skyscraper",
            "palindrome",
            "renban",
            "whisper",
            "germanwhisper",
            "dutchwhisper",
            "betweenline",
            "lockout",
            "antiknight",
            "antiking",
            "knight",
            "king",
            "queen",
            "nonconsecutive",
            "consecutive",
            "evenodd",
            "even",
            "odd",
            "greaterthan",
            "futoshiki",
            "inequality",
            "battenburg",
            "difference",
            "ratio",
            "sum",
            "product",
            "parity",
            "fog",
            "nurikabe",
            "sumframe",
            "xsum",
            "slowthermo",
            "zipper",
            "tightrope",
            "untouchable",
            "minmax",
        ],
        NONE,
    ),
];
