//! Files that somebody drops: texts, tables, pages, PDFs, and what is packed into zips.

use documents::{DocumentLimits, list_zip, read, unzip, unzip_one};
use flate2::Crc;

use crate::Target;

/// Small, so that a mutated input reaches them.
const LIMITS: DocumentLimits = DocumentLimits {
    file_bytes: 1_000_000,
    text_bytes: 20_000,
    unpacked_bytes: 2_000_000,
    depth: 30,
    entries: 100,
    cells: 10_000,
    pages: 30,
};

/// Kinds that are read from their bytes as they are: a name, the longest input, seeds.
const PLAIN: &[(&str, &str, usize, &[&[u8]])] = &[
    ("text", "a.txt", 512, &["caf\u{e9}\r\n\u{feff}x".as_bytes(), b"\xff\xfeh\0i\0", b"caf\xe9"]),
    ("csv", "a.csv", 512, &[b"k;v\n\"a;\"\"b\";1\n;2\n", b"a,b\n1,\"x\ny\"\n", b"a\tb|c\n"]),
    ("json", "a.json", 512, &[b"{\"a\":[1,2.50,{\"b\":null}]}", b"{\"a\":1}\n{\"a\":2}\n", b"[[[["]),
    (
        "xml",
        "a.xml",
        512,
        &[b"<?xml version=\"1.0\"?><a b=\"c\"><!-- d --><e>f &amp; g</e><![CDATA[<h>]]></a>"],
    ),
    (
        "html",
        "a.html",
        1024,
        &[
            b"<!doctype html><h1>A<b>b</b></h1><ul><li>x<ol><li>y</ul><table><tr><td>1<td>2</table>",
            b"<p>a<br>b<pre> c\n d</pre><a href='x'>e</a><script>f</script><blockquote>g<img alt=h>",
        ],
    ),
    (
        "pdf",
        "a.pdf",
        2048,
        &[
            b"%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Type /Pages /Count 1 \
              /Kids [3 0 R] >> endobj 3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << \
              /Font << /F 5 0 R >> >> >> endobj 4 0 obj << /Length 44 >>\nstream\nBT /F 12 Tf 72 700 Td \
              (text) Tj [(a) -300 (b)] TJ ET\nendstream endobj 5 0 obj << /Type /Font /Subtype /Type1 \
              /BaseFont /Helvetica >> endobj trailer << /Root 1 0 R >>",
        ],
    ),
];

/// An Office file: its kind, the part that the input becomes, the other parts, and inputs to begin
/// with.
type Packed =
    (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

/// Office files.
const PACKED: &[Packed] = &[
    (
        "docx",
        "word/document.xml",
        &[],
        &[
            "<w:document><w:body><w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:rPr><w:b/>\
           </w:rPr><w:t>A</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p>\
           </w:tc></w:tr></w:tbl></w:body></w:document>",
        ],
    ),
    (
        "xlsx",
        "xl/worksheets/s.xml",
        &[
            (
                "xl/workbook.xml",
                "<workbook><sheets><sheet name=\"D\" r:id=\"a\"/></sheets></workbook>",
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"a\" Type=\"x/worksheet\" \
                 Target=\"worksheets/s.xml\"/></Relationships>",
            ),
        ],
        &["<worksheet><sheetData><row r=\"2\"><c r=\"B2\" t=\"inlineStr\"><is><t>a</t></is></c>\
           <c r=\"D2\" s=\"1\"><f>1+1</f><v>2</v></c></row></sheetData></worksheet>"],
    ),
    (
        "pptx",
        "ppt/slides/slide1.xml",
        &[
            (
                "ppt/presentation.xml",
                "<p:presentation><p:sldIdLst><p:sldId r:id=\"s\"/></p:sldIdLst></p:presentation>",
            ),
            (
                "ppt/_rels/presentation.xml.rels",
                "<Relationships><Relationship Id=\"s\" Type=\"x/slide\" \
                 Target=\"slides/slide1.xml\"/></Relationships>",
            ),
        ],
        &["<p:sld><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type=\"title\"/></p:nvPr>\
           </p:nvSpPr><p:txBody><a:p><a:pPr lvl=\"1\"/><a:r><a:t>A</a:t></a:r></a:p></p:txBody>\
           </p:sp></p:spTree></p:cSld></p:sld>"],
    ),
];

/// A zip whose files are stored, so that a change of a byte reaches them.
fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (path, bytes) in parts {
        let mut sum = Crc::new();
        sum.update(bytes);
        let (offset, size) =
            ((file.len() as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
        let mut common = vec![20, 0, 0, 8, 0, 0, 0, 0, 0, 0];
        common.extend(sum.sum().to_le_bytes());
        common.extend(size);
        common.extend(size);
        common.extend((path.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(path.bytes());
        file.extend(*bytes);
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset);
        directory.extend(path.bytes());
    }
    let (start, n) = (file.len() as u32, (parts.len() as u16).to_le_bytes());
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend(n);
    file.extend(n);
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0; 2]);
    file
}

fn check(name: &str, bytes: &[u8]) {
    if let Ok(document) = read(name, bytes, &LIMITS) {
        assert!(document.markdown.len() <= LIMITS.text_bytes);
    }
}

pub(super) fn targets() -> Vec<Target> {
    let plain = PLAIN.iter().map(|(kind, name, max_len, seeds)| {
        Target::new(
            format!("document_{kind}"),
            *max_len,
            move |data: &[u8]| check(name, data),
            move |_| seeds.iter().map(|seed| seed.to_vec()).collect(),
        )
    });
    let packed = PACKED.iter().map(|(kind, path, around, seeds)| {
        let run = move |data: &[u8]| {
            let mut parts: Vec<(&str, &[u8])> = vec![("[Content_Types].xml", b"<Types/>")];
            parts.extend(around.iter().map(|(path, text)| (*path, text.as_bytes())));
            parts.push((path, data));
            check(&format!("a.{kind}"), &zip(&parts));
        };
        Target::new(format!("document_{kind}"), 1024, run, move |_| {
            seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
        })
    });
    let archive = |data: &[u8]| {
        check("a.zip", data);
        let all = unzip(data, &LIMITS);
        let Ok(listed) = list_zip(data, &LIMITS) else {
            assert!(all.is_err());
            return;
        };
        for (i, file) in listed.iter().enumerate() {
            let one = unzip_one(data, &file.path, &LIMITS);
            if let Ok(all) = &all {
                assert_eq!(one.ok().flatten().as_ref(), Some(&all[i].bytes));
            }
        }
    };
    let zips =
        |_: &crate::Places| vec![zip(&[("a.csv", b"k,v\n1,2\n"), ("d/b.txt", b"two")]), zip(&[])];
    plain.chain(packed).chain([Target::new("document_zip", 1024, archive, zips)]).collect()
}
