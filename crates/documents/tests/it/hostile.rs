//! Files that mean harm.

use documents::DocumentLimits;

use crate::make::{docx, markdown, pptx, read, xlsx, zip};

#[test]
fn entities_of_xml_are_not_expanded() {
    let text = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY x \"xxxxxxxxxx\"><!ENTITY y \"&x;&x;&x;\">\
        <!ENTITY f SYSTEM \"file:///etc/passwd\">]><a b=\"&y;\">&y;&f;&#65;&#x0;</a>";
    let document = read("a.xml", text.as_bytes()).unwrap();
    assert_eq!(document.markdown, "- a b=\"&y;\": &y;&f;A&#x0;\n");
    assert!(document.notes[0].contains("document type"));
    let file = docx("<w:p><w:r><w:t>&y;</w:t></w:r></w:p>", &[]);
    assert_eq!(markdown("a.docx", &file), "&y;\n");
}

#[test]
fn deep_nesting_takes_no_stack() {
    let deep = 200_000;
    for (name, open, close) in [
        ("a.xml", "<a>", "</a>"),
        ("a.html", "<div>", "</div>"),
        ("a.html", "<ul><li>x", ""),
        ("a.html", "<blockquote>x", ""),
        ("a.html", "<table><tr><td>x", ""),
        ("a.html", "<b><i><a href=x>y", ""),
        ("a.json", "[", "]"),
        ("a.json", "{\"a\":", "}"),
    ] {
        let text = format!("{}{}", open.repeat(deep), close.repeat(deep));
        let document = read(name, text.as_bytes());
        if name.ends_with("json") {
            let error = document.unwrap_err().to_string();
            assert!(error.contains("nested deeper than 100"), "{error}");
        } else {
            assert!(document.unwrap().markdown.len() <= 400_000);
        }
    }
    let nested = "<w:tbl><w:tr><w:tc><w:p>".repeat(20_000);
    assert!(read("a.docx", &docx(&format!("{nested}<w:r><w:t>x</w:t></w:r>"), &[])).is_ok());
    assert!(read("a.pptx", &pptx(&[&"<p:grpSp>".repeat(20_000)], &[])).is_ok());
}

#[test]
fn giant_sheets_are_cheap() {
    let rows = "<dimension ref=\"A1:XFD1048576\"/>\
        <row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row>";
    assert_eq!(
        markdown("a.xlsx", &xlsx(rows, &[])),
        "## Data\n\n| 1 |  |\n| --- | --- |\n|  | 2 |\n"
    );
    // Cells with styles and nothing else.
    let empty: String =
        (0..200_000).map(|n| format!("<row r=\"{n}\"><c r=\"A{n}\" s=\"1\"/></row>")).collect();
    assert_eq!(markdown("a.xlsx", &xlsx(&empty, &[])), "## Data\n");
    // A cell in each row, each in a column of its own.
    let columns: Vec<String> = (0..5000)
        .map(|n| {
            let (a, b, c) = (n / 676, n / 26 % 26, n % 26);
            let letter = |n: usize| char::from(b'A' + n as u8);
            format!("<row><c r=\"{}{}{}1\"><v>1</v></c></row>", letter(a), letter(b), letter(c))
        })
        .collect();
    let document = read("a.xlsx", &xlsx(&columns.concat(), &[])).unwrap();
    assert!(document.is_cut && document.markdown.len() <= 400_000);
    let many = "<row><c><v>1</v></c></row>".repeat(1000);
    let limits = DocumentLimits { cells: 100, ..DocumentLimits::default() };
    let document = documents::read("a.xlsx", &xlsx(&many, &[]), &limits).unwrap();
    assert!(document.is_cut);
    assert_eq!(document.notes, ["Sheet Data was cut: it has more cells than are read."]);
}

#[test]
fn wide_tables_and_long_lines_are_cut() {
    let limits = DocumentLimits { text_bytes: 10_000, ..DocumentLimits::default() };
    for (name, text) in [
        ("a.csv", ",".repeat(2_000_000)),
        ("a.csv", "x,".repeat(2_000_000)),
        ("a.csv", "\"".repeat(1_000_001)),
        ("a.html", "<td>".repeat(500_000)),
        ("a.html", "<table><tr><td colspan=999999999 rowspan=99999>x".repeat(20_000)),
        ("a.html", "x".repeat(2_000_000)),
        ("a.html", "&amp;".repeat(500_000)),
        ("a.html", "<a b=c ".repeat(300_000)),
        ("a.html", format!("<p {}>x", (0..50_000).map(|n| format!("a{n}=1 ")).collect::<String>())),
        ("a.json", format!("[{}]", "1,".repeat(500_000) + "1")),
        (
            "a.json",
            format!(
                "{{{}}}",
                (0..100_000).map(|n| format!("\"k{n}\":1,")).collect::<String>() + "\"z\":1"
            ),
        ),
        ("a.xml", format!("<a {}/>", "b=\"c\" ".repeat(300_000))),
        ("a.xml", format!("<a>{}</a>", "x ".repeat(1_000_000))),
        ("a.xml", "<a>x".repeat(300_000)),
        ("a.txt", "x".repeat(2_000_000)),
    ] {
        let document = documents::read(name, text.as_bytes(), &limits);
        let document = document.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(document.markdown.len() <= 10_000, "{name}");
    }
}

#[test]
fn office_files_that_are_bombs_are_refused() {
    let words = "<w:p/>".repeat(5_000_000);
    let error = read("a.docx", &docx(&words, &[])).unwrap_err().to_string();
    assert!(error.contains("times its size"), "{error}");
    let file = zip(&[("word/document.xml", "x"), ("../evil", "x")]);
    assert!(read("a.docx", &file).unwrap_err().to_string().contains("its path must be"));
}

#[test]
fn links_and_relations_that_lead_astray_lead_nowhere() {
    let file = zip(&[
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name=\"A\" r:id=\"a\"/><sheet name=\"B\" r:id=\"b\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id=\"a\" Type=\"x/worksheet\" Target=\"../../../../etc/passwd\"/>\
             <Relationship Id=\"b\" Type=\"x/chartsheet\" Target=\"s.xml\"/></Relationships>",
        ),
    ]);
    let error = read("a.xlsx", &file).unwrap_err().to_string();
    assert!(error.contains("etc/passwd: the part is missing"), "{error}");
}
