//! Whatever the bytes are, nothing panics, and what comes out is bounded.

use documents::{DocumentKind, DocumentLimits};
use proptest::prelude::*;

use crate::make::{docx, pages, paragraph, pdf, pptx, stream, xlsx, zip};

const NAMES: [&str; 9] =
    ["a", "a.txt", "a.md", "a.csv", "a.json", "a.xml", "a.html", "a.tsv", "a.pdf"];

const LIMITS: DocumentLimits = DocumentLimits {
    file_bytes: 1_000_000,
    text_bytes: 2_000,
    unpacked_bytes: 200_000,
    depth: 20,
    entries: 50,
    cells: 1_000,
    pages: 20,
};

fn check(name: &str, bytes: &[u8]) {
    if let Ok(document) = documents::read(name, bytes, &LIMITS) {
        assert!(document.markdown.len() <= LIMITS.text_bytes);
        assert!(document.notes.len() <= 21);
    }
    if let Ok(entries) = documents::unzip(bytes, &LIMITS) {
        assert!(
            entries.iter().map(|entry| entry.bytes.len()).sum::<usize>() <= LIMITS.unpacked_bytes
        );
    }
}

/// A file of each kind, stored rather than deflated where that lets changes reach its inside.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let objects = b"1 0 2 33 3 70 << /Type /Catalog /Pages 2 0 R >> << /Type /Pages /Kids [3 0 R] >>     << /Type /Page /Contents 4 0 R >>".to_vec();
    let map = b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange";
    let rich = pdf(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents [4 0 R] /Resources << /Font << /F 5 0 R /G 7 0 R >> /XObject << /X 8 0 R >> >> >>".to_vec(),
        stream("", b"q 1 0 0 1 5 5 cm BT /F 12 Tf 10 TL 72 700 Td (text) Tj [(a) -300 (b)] TJ T* <41> ' ET Q /X Do"),
        b"<< /Type /Font /Subtype /TrueType /FirstChar 32 /Widths [300 400] /ToUnicode 6 0 R /Encoding << /Differences [65 /eacute /uni0041] >> >>".to_vec(),
        stream("", map),
        b"<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /W [1 [500 300] 5 9 200] /DW 500 >>] >>".to_vec(),
        stream("/Subtype /Form /Matrix [1 0 0 1 2 3] /Resources << /Font << /G 7 0 R >> >>", b"BT /G 9 Tf <00410042> Tj ET"),
        stream("/Type /ObjStm /N 3 /First 14", &objects),
        stream("/Type /XRef /Size 9 /W [1 2 1] /Root 1 0 R", &[1, 0, 9, 0, 1, 0, 60, 0]),
    ]);
    vec![
        ("a.pdf", rich),
        ("a.pdf", pages(&["BT /F1 12 Tf (Hello) Tj ET"])),
        (
            "a.docx",
            docx(
                &(paragraph("", "text")
                    + "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"),
                &[],
            ),
        ),
        (
            "a.xlsx",
            xlsx(
                "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>x</t></is></c><c><v>1.5</v></c></row>",
                &[],
            ),
        ),
        ("a.pptx", pptx(&["<p:sp><a:p><a:r><a:t>x</a:t></a:r></a:p></p:sp>"], &[])),
        ("a.zip", zip(&[("a.txt", "text"), ("b/c.csv", "1,2")])),
        (
            "a.html",
            b"<h1>T</h1><ul><li>x<table><tr><td colspan=2>y</table><pre>z</pre><a href=u>v</a>"
                .to_vec(),
        ),
        ("a.xml", b"<?xml version='1.0'?><!DOCTYPE a><a b='c'>t<d/><![CDATA[x]]></a>".to_vec()),
        ("a.json", b"{\"a\": [1, 2.5e3, \"x\\u00e9\", null, {\"b\": true}]}".to_vec()),
        ("a.csv", b"a,b\n\"c,\"\"d\",e\n".to_vec()),
        ("a.txt", "é text\n".as_bytes().to_vec()),
    ]
}

/// Pieces of all formats, which put together come further than random bytes.
const WORDS: [&str; 44] = [
    "<< ",
    ">> ",
    "[",
    "] ",
    "1 0 obj ",
    "endobj ",
    "stream\n",
    "endstream ",
    "/Type ",
    "/Page ",
    "/Pages ",
    "/Kids ",
    "/Catalog ",
    "/Root 1 0 R ",
    "1 0 R ",
    "2 0 R ",
    "trailer ",
    "startxref ",
    "%PDF-1.7\n",
    "/Contents ",
    "/Length ",
    "/Filter /FlateDecode ",
    "/W [1 1 1] ",
    "/Size 9 ",
    "/XRef ",
    "xref\n0 9\n",
    "0000000009 00000 n \n",
    "BT ",
    "(a) Tj ",
    "9 ",
    "0 ",
    "-1 ",
    "/Prev ",
    "99999999999999999999 ",
    "/ObjStm ",
    "/N 2 ",
    "/First 5 ",
    "<41> ",
    "/Encrypt ",
    "/Index [0 5] ",
    "4294967295 ",
    "\0",
    "/Parent ",
    "%\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(name in 0..NAMES.len(), bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        check(NAMES[name], &bytes);
    }

    #[test]
    fn random_text_never_panics(name in 0..NAMES.len(), text in "[<>a-z/=\"'&;!\\[\\]{}:,\\-#|\\n é0-9]{0,400}") {
        check(NAMES[name], text.as_bytes());
    }

    #[test]
    fn random_pdfs_never_panic(words in prop::collection::vec(0..WORDS.len(), 0..200)) {
        let text: String = words.iter().map(|word| WORDS[*word]).collect();
        check("a.pdf", format!("%PDF-1.7\n{text}").as_bytes());
    }

    #[test]
    fn changed_files_never_panic(
        file in 0..11_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..5_u8, any::<u8>(), any::<prop::sample::Index>()), 1..12),
    ) {
        let (name, mut bytes) = samples().swap_remove(file);
        for (place, what, byte, other) in changes {
            if bytes.is_empty() {
                break;
            }
            let (at, to) = (place.index(bytes.len()), other.index(bytes.len()));
            match what {
                0 => bytes[at] = byte,
                1 => { bytes.remove(at); }
                2 => bytes.insert(at, byte),
                3 => bytes.truncate(at.max(bytes.len() / 2)),
                _ => {
                    let piece = bytes[at.min(to)..at.max(to).min(at.min(to) + 60)].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        check(name, &bytes);
    }
}

/// What stands inside of Office files, as their tests have it, and in a row with all elements.
const PARTS: [&str; 3] = [
    "<w:p><w:pPr><w:pStyle w:val=\"H\"/><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"7\"/></w:numPr></w:pPr><w:hyperlink r:id=\"L\"><w:r><w:rPr><w:b/><w:i/></w:rPr><w:t>x</w:t><w:br/></w:r></w:hyperlink><w:footnoteReference w:id=\"1\"/></w:p><w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
    "<row r=\"2\"><c r=\"B2\" s=\"1\"><v>45000.5</v></c><c t=\"s\"><v>0</v></c><c t=\"inlineStr\"><is><t>q</t><rPh><t>r</t></rPh></is></c><c><f>A1</f></c></row><row><c r=\"XFD9\" t=\"b\"><v>1</v></c></row>",
    "<p:sp><p:nvPr><p:ph type=\"title\"/></p:nvPr><a:p><a:pPr lvl=\"2\"/><a:r><a:rPr b=\"1\"><a:hlinkClick r:id=\"h\"/></a:rPr><a:t>x</a:t></a:r><a:br/></a:p></p:sp><a:tbl><a:tr><a:tc><a:p><a:r><a:t>y</a:t></a:r></a:p></a:tc></a:tr></a:tbl>",
];
const STYLES: &str = "<styleSheet><numFmts><numFmt numFmtId=\"200\" formatCode=\"yyyy-mm-dd hh:mm\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"200\"/></cellXfs></styleSheet>";
const TEXTS: &str = "<sst><si><t>one</t></si><si><r><t>t</t></r></si></sst>";

/// A text with pieces moved, doubled or cut.
fn shuffle(text: &str, changes: &[(prop::sample::Index, prop::sample::Index, u8)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (one, two, what) in changes {
        if chars.is_empty() {
            break;
        }
        let (one, two) = (one.index(chars.len()), two.index(chars.len()));
        let (from, to) = (one.min(two), one.max(two).min(one.min(two) + 80));
        match what {
            0 => drop(chars.drain(from..to)),
            1 => drop(chars.splice(one..one, chars[from..to].to_vec())),
            2 => chars[one] = '9',
            3 => chars[one] = '<',
            4 => chars[one] = '\u{e9}',
            _ => chars.insert(one, '&'),
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn changed_parts_never_panic(
        kind in 0..3_usize,
        body in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..6_u8), 0..10),
        more in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..6_u8), 0..4),
    ) {
        let body = shuffle(PARTS[kind], &body);
        let (styles, texts) = (shuffle(STYLES, &more), shuffle(TEXTS, &more));
        match kind {
            0 => check("a.docx", &docx(&body, &[("word/styles.xml", &styles)])),
            1 => check("a.xlsx", &xlsx(&body, &[("xl/styles.xml", &styles), ("xl/sharedStrings.xml", &texts)])),
            _ => check("a.pptx", &pptx(&[&body, &body], &[])),
        }
    }
}

#[test]
fn files_cut_off_anywhere_never_panic() {
    for (name, bytes) in samples() {
        for end in 0..bytes.len() {
            check(name, &bytes[..end]);
        }
    }
}

#[test]
fn no_limit_is_too_small() {
    let none = DocumentLimits {
        file_bytes: 1_000_000,
        text_bytes: 0,
        unpacked_bytes: 0,
        depth: 0,
        entries: 0,
        cells: 0,
        pages: 0,
    };
    for (name, bytes) in samples() {
        if let Ok(document) = documents::read(name, &bytes, &none) {
            assert_eq!(document.markdown, "");
        }
        let some = DocumentLimits { text_bytes: 1, unpacked_bytes: 100_000, entries: 100, ..none };
        if let Ok(document) = documents::read(name, &bytes, &some) {
            assert!(document.markdown.len() <= 1);
        }
    }
}

#[test]
fn samples_are_what_they_are_taken_for() {
    for (name, bytes) in samples() {
        let document =
            documents::read(name, &bytes, &LIMITS).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!document.markdown.is_empty(), "{name}");
        assert_ne!((name, document.kind), ("a.pdf", DocumentKind::Text));
    }
}
