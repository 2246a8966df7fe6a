//! Recognises that an account has no credit left, which no waiting changes.

use serde_json::Value;

/// What an account has.
const MONEY: [&str; 7] = ["credit", "balance", "billing", "payment", "funds", "quota", "spend"];
/// What is said of it when there is no more.
const GONE: [&str; 14] = [
    "insufficient",
    "not enough",
    "too low",
    "exhaust",
    "run out",
    "ran out",
    "exceed",
    "used up",
    "deplet",
    "limit reached",
    "hard limit",
    "not active",
    "overdue",
    "required",
];

/// Whether an error says so. One that says when to ask again means a rate, whatever its words;
/// its code says it without doubt.
pub(super) fn is_spent(status: u16, body: &Value, message: &str, says_when: bool) -> bool {
    let error = body.get("error").unwrap_or(body);
    let codes = ["code", "type", "status"].iter().filter_map(|field| error.get(*field)?.as_str());
    let code = codes.map(|code| code.to_ascii_lowercase().replace(['_', '-'], " "));
    let is_gone = |text: &str| {
        MONEY.iter().any(|word| text.contains(word)) && GONE.iter().any(|word| text.contains(word))
    };
    if status == 402 || code.into_iter().any(|code| is_gone(&code) && !code.contains("exceed")) {
        return true;
    }
    let lower = message.to_ascii_lowercase();
    // A quota alone may be one of requests in a minute.
    let is_money = MONEY.iter().any(|word| *word != "quota" && lower.contains(word))
        || lower.contains("insufficient");
    !says_when && is_money && lower.split(". ").any(is_gone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_empty_account_is_told_from_a_rate() {
        for (status, message, is_empty) in [
            (
                429,
                "You exceeded your current quota, please check your plan and billing details",
                true,
            ),
            (403, "Insufficient balance", true),
            (400, "Your credit balance is too low to access the API", true),
            (402, "This request requires more credits, or fewer max_tokens", true),
            (429, "Your account is not active, please check your billing details", true),
            (403, "You have run out of credits", true),
            (
                403,
                "Your team has either used all available credits or reached its monthly spending \
                   limit. Your prepaid balance is exhausted",
                true,
            ),
            (400, "Access denied, please make sure your account balance is not overdue", true),
            (429, "insufficient_quota", true),
            (429, "Rate limit reached for requests", false),
            (429, "Quota exceeded for requests per minute and project", false),
            (429, "Limit 3, Used 3. Add a payment method to your account to raise the rate", false),
            (500, "The server had an error", false),
        ] {
            assert_eq!(is_spent(status, &Value::Null, message, false), is_empty, "{message}");
        }
        let quota = "You exceeded your current quota, please check your plan and billing details";
        assert!(!is_spent(429, &Value::Null, quota, true), "a quota that comes back in seconds");
        let code = |code: &str| json!({ "error": { "code": code } });
        assert!(is_spent(429, &code("insufficient_quota"), "x", true));
        assert!(is_spent(400, &code("billing_hard_limit_reached"), "x", false));
        assert!(!is_spent(429, &code("rate_limit_exceeded"), "x", false));
    }
}
