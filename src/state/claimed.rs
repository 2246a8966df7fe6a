//! A text cut into the stretches that claim something and those between.

use draw::Marks;
use tasks::claims::Claim;
use tasks::{EvidenceMarks, Judgement, Verdict};

/// A stretch of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextSpan {
    /// The words of this part.
    pub text: String,
    /// The claim that it makes, by its number in the list.
    pub claim: Option<usize>,
}

/// The stretches of a text, together the whole of it. Where claims overlap, the first takes its place
/// and the next what is left.
pub fn stretches(text: &str, claims: &[Claim]) -> Vec<TextSpan> {
    let mut out = Vec::new();
    let mut at = 0;
    for (i, claim) in claims.iter().enumerate() {
        let (start, end) = (claim.start.max(at), claim.end);
        let (Some(before), Some(words)) = (text.get(at..start), text.get(start..end)) else {
            continue;
        };
        if words.is_empty() {
            continue;
        }
        if !before.is_empty() {
            out.push(TextSpan { text: before.to_owned(), claim: None });
        }
        out.push(TextSpan { text: words.to_owned(), claim: Some(i) });
        at = end;
    }
    if let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
        out.push(TextSpan { text: rest.to_owned(), claim: None });
    }
    out
}

/// What the claims draw: of one, or of all. A false edge is drawn once, and over a true one.
pub fn marks<'c>(claims: impl IntoIterator<Item = &'c Claim>) -> EvidenceMarks {
    let mut all = EvidenceMarks::default();
    for claim in claims {
        for node in &claim.marks.nodes {
            if !all.nodes.iter().any(|n| n.node == node.node && n.kind == node.kind) {
                all.nodes.push(node.clone());
            }
        }
        for edge in &claim.marks.edges {
            let known = all.edges.iter_mut().find(|e| {
                (e.source == edge.source && e.target == edge.target)
                    || (e.source == edge.target && e.target == edge.source)
            });
            match known {
                Some(known) if edge.kind == tasks::MarkKind::False => *known = edge.clone(),
                Some(_) => {}
                None => all.edges.push(edge.clone()),
            }
        }
    }
    all
}

/// What a judged answer draws: one claim, or all of them with the rows that it gives, which are judged
/// together and are no claims.
pub fn drawn(claims: &[Claim], picked: Option<usize>, judgement: Option<&Judgement>) -> Marks {
    let is_right = judgement.is_some_and(|j| j.verdict == Verdict::Correct);
    let mut all = match picked {
        Some(i) => marks(claims.get(i)),
        None => marks(claims),
    };
    if let Some(judgement) = judgement.filter(|_| picked.is_none()) {
        let nodes = &judgement.certificate.marks.nodes;
        all.nodes.extend(nodes.iter().filter(|mark| mark.label.is_some()).cloned());
    }
    super::marks::of_certificate(&all, is_right)
}

/// The evidence for a verdict with the false claims over it; of one claim, that claim alone.
pub fn with_evidence(claims: &[Claim], picked: Option<usize>, judgement: &Judgement) -> Marks {
    if picked.is_some() {
        return drawn(claims, picked, Some(judgement));
    }
    let is_right = judgement.verdict == Verdict::Correct;
    let evidence = super::marks::of_certificate(&judgement.certificate.marks, is_right);
    let of_false = marks(claims.iter().filter(|c| !c.is_true));
    super::marks::together([evidence, super::marks::of_certificate(&of_false, false)])
}

#[cfg(test)]
mod tests {
    use tasks::claims::ClaimKind;
    use tasks::{EdgeMark, MarkKind};

    use super::*;

    fn claim(start: usize, end: usize, kind: MarkKind) -> Claim {
        let edge = EdgeMark { source: "0".into(), target: "1".into(), kind, label: None };
        Claim {
            kind: ClaimKind::Edge,
            start,
            end,
            says: String::new(),
            is_true: kind == MarkKind::True,
            why: String::new(),
            marks: EvidenceMarks { nodes: Vec::new(), edges: vec![edge] },
            in_program: false,
        }
    }

    #[test]
    fn the_stretches_are_the_whole_text() {
        let text = "añb cd ef";
        let claims = [
            claim(0, 4, MarkKind::True),
            claim(2, 7, MarkKind::True),
            claim(8, 99, MarkKind::True),
        ];
        let cut = stretches(text, &claims);
        let whole: String = cut.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(whole, text);
        let claimed: Vec<Option<usize>> = cut.iter().map(|s| s.claim).collect();
        assert_eq!(
            claimed,
            [Some(0), Some(1), None],
            "a place that is not in the text is left out"
        );
        assert_eq!(stretches("", &claims), []);
    }

    #[test]
    fn a_false_claim_is_drawn_over_a_true_one() {
        let both = [claim(0, 1, MarkKind::True), claim(1, 2, MarkKind::False)];
        let all = marks(&both);
        assert_eq!(all.edges.len(), 1);
        assert_eq!(all.edges[0].kind, MarkKind::False);
    }
}
