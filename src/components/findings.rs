//! What a verifier found.

use leptos::prelude::*;
use trace::Finding;

/// The findings of one stage; "nothing wrong" where there are none.
pub(crate) fn findings_view(stage: &str, findings: &[Finding]) -> AnyView {
    if findings.is_empty() {
        return view! { <p class="say found-none">{format!("{stage}: nothing wrong.")}</p> }
            .into_any();
    }
    let rows = findings
        .iter()
        .map(|f| {
            let class = if f.is_error { "finding" } else { "finding remark-only" };
            let at = f.at.clone().map(|at| view! { <code>{at}</code>" " });
            view! {
                <li class=class>
                    <span class="rule">{f.rule.clone()}</span>
                    <span>{at}{f.message.clone()}</span>
                </li>
            }
        })
        .collect_view();
    view! {
        <p class="say">{format!("{stage}:")}</p>
        <ul class="findings">{rows}</ul>
    }
    .into_any()
}
