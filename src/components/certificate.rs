//! The evidence for a verdict, line by line.

use leptos::prelude::*;
use tasks::Certificate;

/// A certificate.
#[component]
pub(crate) fn CertificateList(certificate: Certificate) -> impl IntoView {
    let lines = certificate
        .lines
        .into_iter()
        .map(|line| {
            let (class, sign, words) = match line.holds {
                Some(true) => ("holds", "✓", "holds: "),
                Some(false) => ("fails", "✗", "fails: "),
                None => ("remark", "·", ""),
            };
            view! {
                <li class=class>
                    <span aria-hidden="true">{sign}</span>
                    <span class="sr-only">{words}</span>
                    <span>{line.text}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ol class="certificate">{lines}</ol> }
}
