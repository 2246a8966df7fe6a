//! Ids and types as IRIs, and back.
//!
//! An id that is an IRI stays one. Any other is `urn:kg:node:` with what an IRI may not have as
//! `%XX`; types, edges and attributes likewise. IRIs of well-known vocabularies are told in short:
//! `foaf:knows`.

/// What an IRI names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IriKind {
    /// A node.
    Node,
    /// A type of nodes.
    Type,
    /// A type of edges.
    Edge,
    /// An attribute.
    Attribute,
}

impl IriKind {
    fn start(self) -> &'static str {
        match self {
            Self::Node => "urn:kg:node:",
            Self::Type => "urn:kg:type:",
            Self::Edge => "urn:kg:edge:",
            Self::Attribute => "urn:kg:attribute:",
        }
    }
}

/// The vocabularies that are told in short, and may be used in a query without being declared.
pub const PREFIXES: &[(&str, &str)] = &[
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("schema", "http://schema.org/"),
    ("wd", "http://www.wikidata.org/entity/"),
    ("wdt", "http://www.wikidata.org/prop/direct/"),
    ("dbo", "http://dbpedia.org/ontology/"),
    ("dbr", "http://dbpedia.org/resource/"),
    ("node", "urn:kg:node:"),
    ("type", "urn:kg:type:"),
    ("edge", "urn:kg:edge:"),
    ("attribute", "urn:kg:attribute:"),
];

pub(crate) const TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
pub(crate) const LABEL: &str = "http://www.w3.org/2000/01/rdf-schema#label";

/// The IRI of an id or of a name of a type.
pub(crate) fn to_iri(kind: IriKind, text: &str) -> String {
    if kind != IriKind::Node
        && let Some((prefix, local)) = text.split_once(':')
        && let Some((_, start)) = PREFIXES[..PREFIXES.len() - 4].iter().find(|(p, _)| *p == prefix)
        && is_local(local)
    {
        let iri = format!("{start}{local}");
        if iri != TYPE && iri != LABEL {
            return iri;
        }
    }
    if is_iri(text) && text != TYPE && text != LABEL {
        return text.to_owned();
    }
    make_iri(kind, text)
}

/// The IRI of a name that is none, whatever it looks like.
pub(crate) fn make_iri(kind: IriKind, text: &str) -> String {
    let mut iri = kind.start().to_owned();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            iri.push(char::from(byte));
        } else {
            iri.push_str(&format!("%{byte:02X}"));
        }
    }
    iri
}

/// What an IRI is called here; the reverse of [`to_iri`].
pub fn from_iri(kind: IriKind, iri: &str) -> String {
    if let Some(rest) = iri.strip_prefix(kind.start())
        && let Some(text) = decoded(rest)
    {
        return text;
    }
    if kind != IriKind::Node {
        for (prefix, start) in &PREFIXES[..PREFIXES.len() - 4] {
            if let Some(local) = iri.strip_prefix(start).filter(|local| is_local(local)) {
                return format!("{prefix}:{local}");
            }
        }
    }
    iri.to_owned()
}

/// What a node is called by its IRI alone: the last part of it, with spaces for underscores.
pub(crate) fn last_part(id: &str) -> Option<String> {
    if !is_iri(id) {
        return None;
    }
    let last = id.trim_end_matches(['/', '#']).rsplit(['/', '#', ':']).next()?;
    let text = decoded(last).unwrap_or_else(|| last.to_owned()).replace('_', " ");
    (!text.trim().is_empty()).then_some(text)
}

/// Whether an id is an IRI that may stand in a file or a query as it is.
pub(crate) fn is_iri(text: &str) -> bool {
    let starts = ["http://", "https://", "urn:"];
    let has_rest = starts.iter().any(|s| text.strip_prefix(s).is_some_and(|rest| !rest.is_empty()));
    has_rest
        && !text.starts_with("urn:kg:")
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=%".contains(&b))
}

fn is_local(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
}

/// What `%XX` stand for; nothing where the bytes are no text.
pub fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (high, low) = (rest.next()?, rest.next()?);
        let digit = |b: u8| char::from(b).to_digit(16);
        bytes.push((digit(high)? * 16 + digit(low)?) as u8);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn well_known_names_are_short_and_iris_stay() {
        let knows = "http://xmlns.com/foaf/0.1/knows";
        assert_eq!(from_iri(IriKind::Edge, knows), "foaf:knows");
        assert_eq!(to_iri(IriKind::Edge, "foaf:knows"), knows);
        assert_eq!(to_iri(IriKind::Node, "http://example.org/a"), "http://example.org/a");
        assert_eq!(to_iri(IriKind::Node, "Gene::9 1"), "urn:kg:node:Gene%3A%3A9%201");
        assert_eq!(last_part("http://example.org/Blue_Lantern"), Some("Blue Lantern".into()));
        // What has a meaning of its own in RDF is no edge of ours.
        assert_ne!(to_iri(IriKind::Edge, "rdf:type"), TYPE);
        assert_ne!(to_iri(IriKind::Edge, "rdfs:label"), LABEL);
    }

    proptest! {
        #[test]
        fn whatever_a_thing_is_called_comes_back(text in "\\PC{1,20}|(rdf|foaf|urn|http):[a-z:%/]{0,9}") {
            for kind in [IriKind::Node, IriKind::Type, IriKind::Edge, IriKind::Attribute] {
                prop_assert_eq!(from_iri(kind, &to_iri(kind, &text)), text.clone());
                prop_assert_eq!(from_iri(kind, &make_iri(kind, &text)), text.clone());
            }
        }
    }
}
