//! Row numbers are those of the reports of what goes wrong for people who paste puzzles.

use proptest::prelude::*;

use crate::puzzle::{Puzzle, PuzzleError, read};

const DEMO: &str =
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

fn rows(text: &str, end: &str) -> String {
    let rows: Vec<&str> = (0..9).map(|i| &text[i * 9..i * 9 + 9]).collect();
    rows.join(end) + end
}

fn one(bytes: &[u8]) -> Puzzle {
    let mut puzzles = read(bytes, "f.txt").unwrap();
    assert_eq!(puzzles.len(), 1);
    puzzles.remove(0)
}

fn demo() -> Puzzle {
    one(DEMO.as_bytes())
}

/// The message, which must name this line and column.
fn fault(text: &str, line: usize, column: usize) -> String {
    match read(text.as_bytes(), "f.txt") {
        Ok(_) => panic!("accepted: {text:?}"),
        Err(error) => {
            let said = error.to_string();
            let place = format!("f.txt, line {line}, column {column}: ");
            assert!(said.starts_with(&place), "{said}\nexpected {place}");
            said
        }
    }
}

#[test]
fn the_demo_has_its_thirty_givens_in_place() {
    let demo = demo();
    assert_eq!(demo.givens.len(), 30);
    assert_eq!(demo.givens[&"r1c5".parse().unwrap()], 7);
    assert_eq!(demo.givens[&"r9c9".parse().unwrap()], 9);
    assert!(demo.is_classic());
}

#[test]
fn row_1_blanks_around_a_pasted_grid() {
    let pasted: String = (0..9)
        .map(|i| format!("\n   \t{}\t  \n", &DEMO[i * 9..i * 9 + 9]))
        .collect();
    assert_eq!(one(format!("\n\n{pasted}  \n \t\n").as_bytes()), demo());
    let spaced: String = DEMO.chars().map(|c| format!("{c} ")).collect();
    assert_eq!(one(spaced.as_bytes()), demo());
    assert_eq!(
        one(rows(&spaced.replace(' ', ""), "  \n").as_bytes()),
        demo()
    );
    let tabbed = rows(DEMO, "\n").replace(|c: char| c.is_ascii_digit(), "#");
    assert!(read(tabbed.as_bytes(), "f.txt").is_err(), "comments alone");
}

#[test]
fn row_1_every_blank_character_and_decoration() {
    for blank in ['0', '.', '*', '_', ' '] {
        let text = rows(&DEMO.replace('0', &blank.to_string()), "\n");
        assert_eq!(one(text.as_bytes()), demo(), "{blank:?}");
    }
    let mut fancy = String::from("# a grid\n+-------+-------+-------+\n");
    for i in 0..9 {
        let r: Vec<String> = DEMO[i * 9..i * 9 + 9]
            .replace('0', ".")
            .chars()
            .map(String::from)
            .collect();
        fancy += &format!(
            "| {} | {} | {} | # row\n",
            r[0..3].join(" "),
            r[3..6].join(" "),
            r[6..9].join(" ")
        );
        if i % 3 == 2 {
            fancy += "|=======+=======+=======|\n";
        }
    }
    assert_eq!(one(fancy.as_bytes()), demo());
    let simple = fancy
        .replace("+-------+-------+-------+", " *-----------------------*")
        .replace("|=======+=======+=======|", " |-------+-------+-------|");
    assert_eq!(one(simple.as_bytes()), demo());
}

#[test]
fn a_row_of_nine_spaces_is_a_row_where_it_makes_nine() {
    let blank_row = format!("{}         \n{}", &"123456789\n".repeat(0), "");
    assert!(read(blank_row.as_bytes(), "f.txt").is_err());
    let grid = "53  7    \n6  195   \n 98    6 \n         \n4  8 3  1\n7   2   6\n 6    28 \n   419  5\n    8  79\n";
    let puzzle = one(grid.as_bytes());
    assert!(puzzle.givens.keys().all(|c| c.row != 4));
    assert_eq!(puzzle.givens.len(), 27);
    // With nine rows already, nine spaces are a blank line.
    let with_blank = rows(DEMO, "\n") + "         \n";
    assert_eq!(one(with_blank.as_bytes()), demo());
}

#[test]
fn row_2_a_list_gives_every_puzzle_and_a_wrong_line_is_named() {
    let other = DEMO.replace('5', ".");
    let list = format!("{DEMO}\n\n# second\n{other}\n{DEMO}");
    let puzzles = read(list.as_bytes(), "f.txt").unwrap();
    assert_eq!(puzzles.len(), 3);
    assert_eq!(puzzles[0], puzzles[2]);
    assert!(puzzles[1].givens.len() < puzzles[0].givens.len());
    let short = format!("{DEMO}\n{}\n{DEMO}", &DEMO[..80]);
    assert!(fault(&short, 2, 81).contains("80 cells"));
    let long = format!("{DEMO}\n{DEMO}1\n");
    assert!(fault(&long, 2, 82).contains("82 cells"));
    let grids = rows(DEMO, "\n").repeat(2);
    assert!(fault(&grids, 10, 1).contains("one a line"));
}

#[test]
fn row_3_candidate_lists_are_called_so() {
    let candidates: String = DEMO
        .chars()
        .map(|c| match c {
            '0' => "123456789".to_string(),
            c => ('1'..='9')
                .map(|d| if d == c { d } else { '.' })
                .collect::<String>(),
        })
        .collect();
    assert_eq!(candidates.len(), 729);
    assert!(fault(&candidates, 1, 1).contains("candidates"));
    for width in [9, 27, 81] {
        let lines: Vec<&str> = (0..729 / width)
            .map(|i| &candidates[i * width..(i + 1) * width])
            .collect();
        assert!(
            fault(&lines.join("\n"), 1, 1).contains("candidates"),
            "{width}"
        );
    }
    // Nine puzzles, one a line, have 729 cells too.
    let list = format!("{DEMO}\n").repeat(9);
    assert_eq!(read(list.as_bytes(), "f.txt").unwrap().len(), 9);
}

#[test]
fn eighty_nine_characters_are_nine_joined_rows() {
    for separator in [" ", "/", "|", "0"] {
        let joined = rows(DEMO, separator);
        let joined = &joined[..89];
        let said = read(joined.as_bytes(), "f.txt").unwrap_err().to_string();
        assert!(said.contains("89 characters"), "{said}");
    }
}

#[test]
fn row_4_a_byte_order_mark_is_dropped() {
    let bom = |text: &str| ["\u{FEFF}", text].concat();
    assert_eq!(one(bom(DEMO).as_bytes()), demo());
    let json = "{\"format_version\": 1, \"givens\": {\"r1c2\": 3}}";
    assert_eq!(one(bom(json).as_bytes()), one(json.as_bytes()));
    // Two such files joined have one in the middle.
    assert!(fault(&format!("{DEMO}\n\u{FEFF}{DEMO}"), 2, 1).contains("U+FEFF"));
}

#[test]
fn row_5_utf_16_is_named_with_and_without_a_mark() {
    let le: Vec<u8> = DEMO.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let be: Vec<u8> = DEMO.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = |mark: [u8; 2], rest: &[u8]| [&mark[..], rest].concat();
    for (bytes, order) in [
        (marked([0xFF, 0xFE], &le), "little"),
        (marked([0xFE, 0xFF], &be), "big"),
        (le, "little"),
        (be, "big"),
    ] {
        let said = read(&bytes, "f.txt").unwrap_err().to_string();
        assert_eq!(
            said,
            format!("f.txt is UTF-16 ({order} endian), save it as UTF-8")
        );
    }
}

#[test]
fn row_6_every_line_end_makes_rows() {
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(one(rows(DEMO, end).as_bytes()), demo(), "{end:?}");
    }
    let bad = rows(DEMO, "\r").replacen("8000", "8x00", 1);
    assert!(fault(&bad, 3, 4).contains("'x'"));
}

#[test]
fn row_7_numerals_of_other_scripts_are_no_digits() {
    for (numeral, code) in [
        ('①', "U+2460"),
        ('½', "U+00BD"),
        ('５', "U+FF15"),
        ('٣', "U+0663"),
    ] {
        let text = rows(&DEMO.replacen('7', &numeral.to_string(), 1), "\n");
        // The first 7 is r1c5 and every character is one column.
        let wide: String = text.chars().collect();
        let said = read(wide.as_bytes(), "f.txt").unwrap_err().to_string();
        assert!(said.contains("column 5") && said.contains(code), "{said}");
        assert!(said.contains("not an ASCII digit"), "{said}");
    }
    assert!(fault("53\u{200B}0070000", 1, 3).contains("invisible"));
    assert!(fault("53\u{A0}0070000", 1, 3).contains("U+00A0"));
    assert!(fault("53\u{0}0070000", 1, 3).contains("U+0000"));
}

#[test]
fn short_and_long_rows_are_named_at_the_place() {
    let short = rows(DEMO, "\n").replacen("600195000", "60019500", 1);
    assert!(fault(&short, 2, 9).contains("8 cells"));
    let long = rows(DEMO, "\n").replacen("600195000", "6001950001", 1);
    assert!(fault(&long, 2, 10).contains("10 cells"));
    let hyphens = rows(DEMO, "\n").replace('0', "-");
    assert!(fault(&hyphens, 1, 10).contains("hyphen"));
    let eight = rows(&DEMO[..81], "\n");
    let eight = &eight[..80];
    assert!(fault(eight, 8, 10).contains("8 rows"));
    assert!(fault(&DEMO[..80], 1, 81).contains("80 cells"));
    assert!(fault(&format!("{DEMO}12"), 1, 82).contains("83 cells"));
    assert!(fault(&DEMO[..9], 1, 10).contains("1 row"));
}

#[test]
fn nothing_but_blanks_or_comments_is_said_so() {
    for empty in ["", "\n\n", "\u{FEFF}", " \t\r\n"] {
        assert!(matches!(
            read(empty.as_bytes(), "f.txt"),
            Err(PuzzleError::Empty { .. })
        ));
    }
    assert!(fault("# nothing\n---+---\n", 3, 1).contains("no cell"));
    let said = read(b"5300\xFF700", "f.txt").unwrap_err().to_string();
    assert!(
        said.starts_with("f.txt, line 1, column 5: this is not UTF-8"),
        "{said}"
    );
}

#[test]
fn container_lines_of_puzzle_files_are_passed_over() {
    let sdk = format!(
        "#AAn author\n#DDescription 1\n#B2026-11-30\n[Puzzle]\n{}[State]\n{}",
        rows(&DEMO.replace('0', "."), "\r\n"),
        rows(&"1".repeat(81), "\r\n"),
    );
    assert_eq!(one(sdk.as_bytes()), demo());
    assert!(fault("[Colors]\n", 1, 1).contains("[Colors]"));
    let twice = format!("[Puzzle]\n{0}[Puzzle]\n{0}", rows(DEMO, "\n"));
    assert!(fault(&twice, 11, 1).contains("second"));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes, "f");
    }

    #[test]
    fn any_grid_like_text_is_read_or_refused_without_a_panic(text in "[1-9.0*_| +#\\[\\]Puzle=\r\n\t-]{0,900}") {
        if let Ok(puzzles) = read(text.as_bytes(), "f") {
            prop_assert!(!puzzles.is_empty());
            prop_assert!(puzzles.iter().all(Puzzle::is_classic));
        }
    }

    #[test]
    fn every_decoration_of_a_grid_reads_as_the_same_grid(
        cells in prop::collection::vec(0u8..=9, 81),
        blank in prop::sample::select(vec!['0', '.', '*', '_']),
        end in prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n", " \t\n"]),
        gap in prop::sample::select(vec!["", " ", "\t", "  "]),
        bar in prop::sample::select(vec!["", "|", " | ", "||"]),
        ruler in prop::sample::select(vec!["", "---+---+---", "*-----------*", "# comment", "= = ="]),
        bom in any::<bool>(),
    ) {
        let mut text = String::new();
        if bom {
            text.push('\u{FEFF}');
        }
        for (i, &cell) in cells.iter().enumerate() {
            text.push(if cell == 0 { blank } else { (b'0' + cell) as char });
            text.push_str(gap);
            if i % 3 == 2 {
                text.push_str(bar);
            }
            if i % 9 == 8 {
                text.push_str(end);
            }
            if i % 27 == 26 {
                text.push_str(ruler);
                text.push_str(end);
            }
        }
        let puzzles = read(text.as_bytes(), "f").unwrap();
        prop_assert_eq!(puzzles.len(), 1);
        prop_assert_eq!(puzzles[0].given_colors(), cells);
    }
}
