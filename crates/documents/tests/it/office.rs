//! Files of Office.

use documents::{DocumentError, DocumentKind};

use crate::make::{docx, markdown, paragraph, pptx, read, xlsx, zip};

const STYLES: &str = "<w:styles xmlns:w=\"w\">\
    <w:style w:styleId=\"H1\"><w:name w:val=\"heading 1\"/></w:style>\
    <w:style w:styleId=\"Mine\"><w:name w:val=\"Mine\"/><w:basedOn w:val=\"H1\"/></w:style>\
    <w:style w:styleId=\"Loop\"><w:name w:val=\"Loop\"/><w:basedOn w:val=\"Loop\"/></w:style></w:styles>";

const LISTS: &str = "<w:numbering xmlns:w=\"w\">\
    <w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"decimal\"/></w:lvl>\
    <w:lvl w:ilvl=\"1\"><w:numFmt w:val=\"bullet\"/></w:lvl></w:abstractNum>\
    <w:num w:numId=\"7\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>";

fn item(level: usize, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"7\"/></w:numPr></w:pPr>\
         <w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

#[test]
fn texts_of_word_keep_headings_lists_tables_and_links() {
    let cell = |text: &str| format!("<w:tc><w:tcPr/>{}</w:tc>", paragraph("", text));
    let body = [
        paragraph("H1", "First"),
        paragraph("Mine", "Second"),
        paragraph("Loop", "Plain &amp; simple"),
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:t xml:space=\"preserve\"> and </w:t></w:r>\
         <w:r><w:rPr><w:i/><w:b w:val=\"0\"/></w:rPr><w:t>slanted</w:t></w:r>\
         <w:del><w:r><w:delText>old</w:delText><w:t>old</w:t></w:r></w:del>\
         <w:hyperlink r:id=\"L\"><w:r><w:t> here</w:t></w:r></w:hyperlink>\
         <w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>".to_owned(),
        item(0, "one"),
        item(1, "inner"),
        item(0, "two"),
        format!("<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>", cell("a"), cell("b"), cell("1"), cell("2")),
        paragraph("", "after"),
    ]
    .concat();
    let file = docx(
        &body,
        &[
            ("word/styles.xml", STYLES),
            ("word/numbering.xml", LISTS),
            (
                "word/_rels/document.xml.rels",
                "<Relationships><Relationship Id=\"L\" Type=\"x/hyperlink\" Target=\"https://x.org\" TargetMode=\"External\"/></Relationships>",
            ),
            (
                "word/footnotes.xml",
                "<w:footnotes xmlns:w=\"w\"><w:footnote w:type=\"separator\" w:id=\"0\"><w:p><w:r><w:t>-</w:t></w:r></w:p></w:footnote>\
                 <w:footnote w:id=\"2\"><w:p><w:r><w:t>a note</w:t></w:r></w:p></w:footnote></w:footnotes>",
            ),
        ],
    );
    assert_eq!(
        markdown("a.docx", &file),
        "# First\n\n# Second\n\nPlain & simple\n\n**bold** and *slanted* [here](https://x.org)[^2]\n\n\
         1. one\n  - inner\n2. two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nafter\n\n## Footnotes\n\n[^2]: a note\n"
    );
}

#[test]
fn workbooks_become_tables_with_dates_as_dates() {
    use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("Sales").unwrap();
    let date = Format::new().set_num_format("yyyy-mm-dd");
    let time = Format::new().set_num_format("dd.mm.yyyy hh:mm");
    let share = Format::new().set_num_format("0.0%");
    sheet.write(0, 0, "day").unwrap();
    sheet.write(0, 1, "when").unwrap();
    sheet.write(0, 2, "share").unwrap();
    sheet.write(0, 3, "sum").unwrap();
    let day = ExcelDateTime::from_ymd(2024, 2, 29).unwrap();
    sheet.write_with_format(1, 0, &day, &date).unwrap();
    let moment = ExcelDateTime::from_ymd(2024, 2, 29).unwrap().and_hms(13, 5, 0).unwrap();
    sheet.write_with_format(1, 1, &moment, &time).unwrap();
    sheet.write_with_format(1, 2, 0.125, &share).unwrap();
    sheet.write(1, 3, Formula::new("=1+2").set_result("3")).unwrap();
    sheet.write(2, 0, true).unwrap();
    sheet.write(1_048_575, 16_383, "far away").unwrap();
    let other = book.add_worksheet().set_name("Other").unwrap();
    other.write(4, 2, 1.5).unwrap();
    let file = book.save_to_buffer().unwrap();
    let document = read("a.xlsx", &file).unwrap();
    assert_eq!(document.kind, DocumentKind::Xlsx);
    assert_eq!(
        document.markdown,
        "Sheets: Sales, Other\n\n## Sales\n\n| day | when | share | sum |  |\n| --- | --- | --- | --- | --- |\n\
         | 2024-02-29 | 2024-02-29 13:05:00 | 12.5% | 3 |  |\n| TRUE |  |  |  |  |\n|  |  |  |  | far away |\n\n\
         ## Other\n\n| 1.5 |\n| --- |\n"
    );
    assert_eq!(
        document.notes,
        ["Sheet Sales: empty columns are left out.", "Sheet Other: empty columns are left out."]
    );
}

#[test]
fn cells_of_all_kinds_are_read() {
    let rows = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>1</v></c><c t=\"inlineStr\"><is><t>in</t><t>line</t></is></c>\
        <c t=\"str\"><f>x</f><v>text</v></c><c t=\"e\"><v>#N/A</v></c><c t=\"b\"><v>0</v></c>\
        <c t=\"s\"><v>99</v></c><c><v>0.30000000000000004</v></c><c t=\"d\"><v>2020-01-01T00:00:00</v></c></row>";
    let strings = "<sst><si><t>zero</t></si><si><r><t>o</t></r><r><t>ne</t></r><rPh><t>no</t></rPh></si></sst>";
    assert_eq!(
        markdown("a.xlsx", &xlsx(rows, &[("xl/sharedStrings.xml", strings)])),
        "## Data\n\n| one | inline | text | #N/A | FALSE | 0.3 | 2020-01-01 |\n| --- | --- | --- | --- | --- | --- | --- |\n"
    );
}

#[test]
fn slides_have_titles_points_tables_and_notes() {
    let shape = |kind: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr><p:ph type=\"{kind}\"/></p:nvPr></p:nvSpPr><p:txBody>{text}</p:txBody></p:sp>"
        )
    };
    let words = |level: usize, text: &str| {
        format!("<a:p><a:pPr lvl=\"{level}\"/><a:r><a:t>{text}</a:t></a:r></a:p>")
    };
    let body = words(0, "point") + &words(1, "inner");
    let table = format!(
        "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody>{}</a:txBody></a:tc><a:tc/></a:tr></a:tbl></p:graphicFrame>",
        words(0, "cell")
    );
    let first = shape("body", &body)
        + &shape("title", &words(0, "Hello"))
        + &shape("sldNum", &words(0, "1"))
        + &table;
    let notes = format!(
        "<p:notes>{}{}</p:notes>",
        shape("sldNum", &words(0, "1")),
        shape("body", &words(0, "say it"))
    );
    let file = pptx(
        &[&first, &shape("body", &words(0, "more"))],
        &[
            (
                "ppt/slides/_rels/slide1.xml.rels",
                "<Relationships><Relationship Id=\"n\" Type=\"x/notesSlide\" Target=\"../notesSlides/n1.xml\"/></Relationships>",
            ),
            ("ppt/notesSlides/n1.xml", &notes),
        ],
    );
    assert_eq!(
        markdown("a.pptx", &file),
        "## Slide 1: Hello\n\n- point\n  - inner\n\n| cell |\n| --- |\n\nNotes: say it\n\n## Slide 2\n\n- more\n"
    );
}

#[test]
fn what_is_missing_or_broken_is_said() {
    let file = zip(&[(
        "xl/workbook.xml",
        "<workbook><sheets><sheet name=\"A\" r:id=\"x\"/></sheets></workbook>",
    )]);
    assert_eq!(read("a.xlsx", &file).unwrap().notes, ["Sheet A: its part is missing."]);
    let file = zip(&[("word/document2.xml", &paragraph("", "from the web"))]);
    assert_eq!(markdown("a.docx", &file), "from the web\n");
    let file = zip(&[("word/document.xml", "<w:document><w:p")]);
    let error = read("a.docx", &file).unwrap_err();
    assert!(matches!(error, DocumentError::Broken { kind: DocumentKind::Docx, .. }));
    assert!(error.to_string().contains("word/document.xml, line 1"), "{error}");
    let error = read("a.xlsb", &zip(&[("xl/workbook.bin", "x")])).unwrap_err().to_string();
    assert!(error.contains("binary workbook"), "{error}");
}

#[test]
fn formulas_powers_and_struck_text_are_read() {
    let m = |name: &str, inner: &str| format!("<m:{name}>{inner}</m:{name}>");
    let t = |text: &str| format!("<m:r><w:rPr><w:b/></w:rPr><m:t>{text}</m:t></m:r>");
    let fraction = m(
        "f",
        &[m("fPr", "<m:type m:val=\"bar\"/>"), m("num", &t("12")), m("den", &t("25"))].concat(),
    );
    let sum = m(
        "nary",
        &[
            m("naryPr", "<m:chr m:val=\"∑\"/>"),
            m("sub", &t("i=1")),
            m("sup", &t("n")),
            m("e", &m("sSup", &[m("e", &t("x")), m("sup", &t("2"))].concat())),
        ]
        .concat(),
    );
    let root = m("rad", &[m("radPr", ""), m("deg", ""), m("e", &t("a+b"))].concat());
    let bracket = m(
        "d",
        &[m("dPr", "<m:begChr m:val=\"[\"/><m:endChr m:val=\"]\"/>"), m("e", &t("y"))].concat(),
    );
    let run = |look: &str, text: &str| {
        format!("<w:r><w:rPr>{look}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    };
    let body = [
        format!("<w:p>{}<m:oMath>{fraction}</m:oMath>{}</w:p>", run("", "It is "), run("", " of it.")),
        format!("<w:p><m:oMathPara><m:oMath>{sum}{}{root}{bracket}</m:oMath></m:oMathPara></w:p>", t("=")),
        format!(
            "<w:p>{}{}{}{}{}{}</w:p>",
            run("", "10"), run("<w:vertAlign w:val=\"superscript\"/>", "6"),
            run("", " l, "), run("<w:strike/>", "forty"), run("<w:strike w:val=\"0\"/>", " fifty "),
            run("<w:dstrike/>", "sixty"),
        ),
        format!(
            "<w:p><w:r><w:sym w:font=\"Symbol\" w:char=\"F0CE\"/></w:r>{}<w:r><w:sym w:font=\"Wingdings\" w:char=\"F04A\"/></w:r></w:p>",
            run("<w:rFonts w:ascii=\"Symbol\"/>", "\u{f061}b"),
        ),
    ]
    .concat();
    assert_eq!(
        markdown("a.docx", &docx(&body, &[])),
        "It is 12/25 of it.\n\n∑_(i=1)^n x^2=√(a+b)[y]\n\n10^6 l, ~~forty~~ fifty ~~sixty~~\n\n∈αβ[unreadable sign]\n"
    );
}
