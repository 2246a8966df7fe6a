//! Files, made by hand.

use documents::{Document, DocumentError, DocumentLimits};

/// Reads with the usual limits.
pub fn read(name: &str, bytes: &[u8]) -> Result<Document, DocumentError> {
    documents::read(name, bytes, &DocumentLimits::default())
}

/// The Markdown of a file that can be read.
pub fn markdown(name: &str, bytes: &[u8]) -> String {
    match read(name, bytes) {
        Ok(document) => document.markdown,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// How an entry of a zip is written, where it is not as usual.
#[derive(Clone)]
pub struct Packed {
    pub path: Vec<u8>,
    pub bytes: Vec<u8>,
    pub is_deflated: bool,
    pub flags: u16,
    pub method: Option<u16>,
    pub size: Option<u32>,
    pub mode: u32,
    pub checksum: Option<u32>,
}

impl Packed {
    pub fn new(path: &str, bytes: &[u8]) -> Self {
        Self {
            path: path.into(),
            bytes: bytes.into(),
            is_deflated: true,
            flags: 0x800,
            method: None,
            size: None,
            mode: 0,
            checksum: None,
        }
    }
}

/// A zip of parts.
pub fn zip(parts: &[(&str, &str)]) -> Vec<u8> {
    let parts: Vec<Packed> =
        parts.iter().map(|(path, text)| Packed::new(path, text.as_bytes())).collect();
    zip_of(&parts)
}

/// A zip of entries that may be wrong.
pub fn zip_of(parts: &[Packed]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for part in parts {
        let data = if part.is_deflated {
            miniz_oxide::deflate::compress_to_vec(&part.bytes, 6)
        } else {
            part.bytes.clone()
        };
        let method = part.method.unwrap_or(if part.is_deflated { 8 } else { 0 });
        let size = part.size.unwrap_or(part.bytes.len() as u32);
        let offset = file.len() as u32;
        let mut common = Vec::new();
        common.extend(20_u16.to_le_bytes());
        common.extend(part.flags.to_le_bytes());
        common.extend(method.to_le_bytes());
        common.extend([0; 4]);
        common.extend(part.checksum.unwrap_or_else(|| crc32(&part.bytes)).to_le_bytes());
        common.extend((data.len() as u32).to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend((part.path.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(&part.path);
        file.extend(&data);
        directory.extend(b"PK\x01\x02");
        directory.extend([20, 3]);
        directory.extend(&common);
        directory.extend([0; 6]);
        directory.extend((part.mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(&part.path);
    }
    let start = file.len() as u32;
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend((parts.len() as u16).to_le_bytes());
    file.extend((parts.len() as u16).to_le_bytes());
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0; 2]);
    file
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

/// A PDF of numbered objects, the first of which is the catalog.
pub fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(file.len());
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1).bytes());
    for place in &places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let size = places.len() + 1;
    file.extend(
        format!("trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes(),
    );
    file
}

/// A stream with more in its dictionary, deflated if that says so.
pub fn stream(dictionary: &str, bytes: &[u8]) -> Vec<u8> {
    let bytes = if dictionary.contains("/FlateDecode") {
        miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
    } else {
        bytes.to_vec()
    };
    let mut object = format!("<< /Length {} {dictionary} >>\nstream\n", bytes.len()).into_bytes();
    object.extend(bytes);
    object.extend(b"\nendstream");
    object
}

/// A PDF with a page for each content, in Helvetica as /F1.
pub fn pages(contents: &[&str]) -> Vec<u8> {
    let kids: Vec<String> =
        (0..contents.len()).map(|page| format!("{} 0 R", 4 + page * 2)).collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Count {} /Kids [{}] >>", contents.len(), kids.join(" ")).into(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_vec(),
    ];
    for (page, content) in contents.iter().enumerate() {
        let content_number = 5 + page * 2;
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {content_number} 0 R \
                 /Resources << /Font << /F1 3 0 R >> >> >>"
            )
            .into(),
        );
        objects.push(stream("/Filter /FlateDecode", content.as_bytes()));
    }
    pdf(&objects)
}

const TYPES: &str = "<?xml version=\"1.0\"?><Types/>";

/// A text of Word with this body.
pub fn docx(body: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let main = format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"w\" xmlns:r=\"r\"><w:body>{body}</w:body></w:document>"
    );
    let mut parts = vec![("[Content_Types].xml", TYPES), ("word/document.xml", main.as_str())];
    parts.extend(more);
    zip(&parts)
}

/// A paragraph of a text of Word.
pub fn paragraph(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// A workbook with these rows in its one sheet.
pub fn xlsx(rows: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let mut parts = vec![
        ("[Content_Types].xml", TYPES),
        (
            "xl/workbook.xml",
            "<workbook xmlns:r=\"r\"><sheets><sheet name=\"Data\" r:id=\"a\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id=\"a\" Type=\"x/worksheet\" Target=\"worksheets/s.xml\"/></Relationships>",
        ),
        ("xl/worksheets/s.xml", sheet.as_str()),
    ];
    parts.extend(more);
    zip(&parts)
}

/// Slides, of which each is the inner text of its tree of shapes.
pub fn pptx(slides: &[&str], more: &[(&str, &str)]) -> Vec<u8> {
    let numbers = 1..=slides.len();
    let list: String =
        numbers.clone().map(|n| format!("<p:sldId id=\"{}\" r:id=\"s{n}\"/>", 255 + n)).collect();
    let main = format!("<p:presentation><p:sldIdLst>{list}</p:sldIdLst></p:presentation>");
    let relations: String = numbers
        .map(|n| {
            format!("<Relationship Id=\"s{n}\" Type=\"x/slide\" Target=\"slides/slide{n}.xml\"/>")
        })
        .collect();
    let relations = format!("<Relationships>{relations}</Relationships>");
    let texts: Vec<(String, String)> = (1..)
        .zip(slides)
        .map(|(n, slide)| {
            let text = format!("<p:sld><p:cSld><p:spTree>{slide}</p:spTree></p:cSld></p:sld>");
            (format!("ppt/slides/slide{n}.xml"), text)
        })
        .collect();
    let mut parts = vec![
        ("[Content_Types].xml", TYPES),
        ("ppt/presentation.xml", main.as_str()),
        ("ppt/_rels/presentation.xml.rels", relations.as_str()),
    ];
    parts.extend(texts.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    parts.extend(more);
    zip(&parts)
}
