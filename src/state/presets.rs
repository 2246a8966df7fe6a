//! The endpoints that people have: where they are, what to expect of them, how to start a local
//! one so that it lets this page ask.

/// A known endpoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The name of the server or service.
    pub title: &'static str,
    /// Its protocol.
    pub provider: &'static str,
    /// Its address.
    pub base_url: &'static str,
    /// What a page can expect of it.
    pub expect: &'static str,
    /// How it is started, so that it lets this page ask: where, and the command, with `{origin}`
    /// for this page's own origin, and `{allow}` for the argument by which our own servers let it ask.
    pub start: &'static [(&'static str, &'static str)],
}

const OLLAMA: &[(&str, &str)] = &[
    ("Linux, macOS", "OLLAMA_ORIGINS={origin} OLLAMA_CONTEXT_LENGTH=16384 ollama serve"),
    (
        "Linux, as a service",
        "sudo mkdir -p /etc/systemd/system/ollama.service.d && printf '[Service]\\nEnvironment=\"OLLAMA_ORIGINS={origin}\"\\n' | sudo tee /etc/systemd/system/ollama.service.d/origins.conf && sudo systemctl daemon-reload && sudo systemctl restart ollama",
    ),
    // No remarks within a command: not every shell knows what they are.
    ("macOS app; then quit it and open it again", "launchctl setenv OLLAMA_ORIGINS \"{origin}\""),
    ("Windows; then quit Ollama and open it again", "setx OLLAMA_ORIGINS \"{origin}\""),
];

/// Every preset; local ones first.
pub static PRESETS: &[Preset] = &[
    Preset {
        title: "Ollama",
        provider: "ollama",
        base_url: "http://127.0.0.1:11434",
        expect: "Runs here. It accepts pages on this machine; allow other sites when you start it. Its own protocol lets this page set the context window.",
        start: OLLAMA,
    },
    Preset {
        title: "Ollama, OpenAI-compatible",
        provider: "openai",
        base_url: "http://127.0.0.1:11434/v1",
        expect: "The same server with the other protocol. The context window is the server's: 4,096 tokens unless it is started otherwise, which the tool list can overflow.",
        start: OLLAMA,
    },
    Preset {
        title: "llama.cpp",
        provider: "openai",
        base_url: "http://127.0.0.1:8080/v1",
        expect: "Runs here, and answers every origin. Tools need --jinja.",
        start: &[("Any", "llama-server -m model.gguf --jinja -c 16384 --port 8080")],
    },
    Preset {
        title: "LM Studio",
        provider: "openai",
        base_url: "http://127.0.0.1:1234/v1",
        expect: "Runs here. Its CORS switch is off at first.",
        start: &[("Any", "lms server start --port 1234 --cors")],
    },
    Preset {
        title: "vLLM",
        provider: "openai",
        base_url: "http://127.0.0.1:8000/v1",
        expect: "Runs here or on a server of yours. Origins, headers and tools are switched on at the start.",
        start: &[(
            "Any",
            "vllm serve MODEL --allowed-origins '[\"{origin}\"]' --allowed-headers '[\"authorization\",\"content-type\"]' --enable-auto-tool-choice --tool-call-parser hermes",
        )],
    },
    Preset {
        title: "Graphground's scripts",
        provider: "openai",
        base_url: "http://127.0.0.1:8190/v1",
        expect: "The scripted models over the network, without a key: to see the way there and back.",
        start: &[("Any", "graphground serve --port 8190{allow}")],
    },
    Preset {
        title: "OpenAI",
        provider: "openai",
        base_url: "https://api.openai.com/v1",
        expect: "Works from a browser. Needs a key.",
        start: &[],
    },
    Preset {
        title: "OpenAI Responses",
        provider: "responses",
        base_url: "https://api.openai.com/v1",
        expect: "Works from a browser. Needs a key. Its reasoning models keep their thoughts from turn to turn.",
        start: &[],
    },
    Preset {
        title: "Anthropic",
        provider: "anthropic",
        base_url: "https://api.anthropic.com/v1",
        expect: "Answers pages that say so in a header, which this one does. An organisation may have switched that off.",
        start: &[],
    },
    Preset {
        title: "Gemini",
        provider: "gemini",
        base_url: "https://generativelanguage.googleapis.com/v1beta",
        expect: "Its own protocol. Answers pages in most places, but not in all.",
        start: &[],
    },
    Preset {
        title: "OpenRouter",
        provider: "openai",
        base_url: "https://openrouter.ai/api/v1",
        expect: "Answers pages. One key for the models of many.",
        start: &[],
    },
    Preset {
        title: "Groq",
        provider: "openai",
        base_url: "https://api.groq.com/openai/v1",
        expect: "Requires a key. Not every host answers pages: the check shows it.",
        start: &[],
    },
    Preset {
        title: "Mistral",
        provider: "openai",
        base_url: "https://api.mistral.ai/v1",
        expect: "Requires a key. Not every host answers pages: the check shows it.",
        start: &[],
    },
    Preset {
        title: "DeepSeek",
        provider: "openai",
        base_url: "https://api.deepseek.com",
        expect: "Requires a key. Not every host answers pages: the check shows it.",
        start: &[],
    },
];

/// Commands with this page's own origin in them.
pub fn commands(start: &[(&str, &str)], origin: &str) -> Vec<(String, String)> {
    let (allow, origin) = (allow(origin), plain(origin));
    let filled = |command: &str| command.replace("{allow}", &allow).replace("{origin}", &origin);
    start.iter().map(|(place, command)| ((*place).to_owned(), filled(command))).collect()
}

/// An origin as it may stand in a command. That is pasted into a shell: nothing but what an origin
/// can have may get into it.
fn plain(origin: &str) -> String {
    origin.chars().filter(|c| c.is_ascii_alphanumeric() || ":/.-[]_".contains(*c)).collect()
}

/// The argument, with a space before it, by which `graphground serve`, `kg serve` and `mcp --http`
/// let a page of this origin ask; nothing for a page of this machine, which they let ask anyway.
pub fn allow(origin: &str) -> String {
    let is_ours = ["http://localhost", "http://127.0.0.1", "http://[::1]"].iter().any(|host| {
        let rest = origin.strip_prefix(host);
        rest.is_some_and(|port| port.is_empty() || port.starts_with(':'))
    });
    if is_ours { String::new() } else { format!(" --allow-origin {}", plain(origin)) }
}

/// The preset of a server at this port of this machine or network, guessed.
pub fn at_port(port: u16, provider: &str) -> Option<&'static Preset> {
    let is_there = |p: &&Preset| {
        !p.start.is_empty()
            && p.base_url.split(':').nth(2).is_some_and(|rest| {
                rest.split('/').next().is_some_and(|text| text.parse() == Ok(port))
            })
    };
    PRESETS
        .iter()
        .filter(is_there)
        .find(|p| p.provider == provider)
        .or_else(|| PRESETS.iter().find(is_there))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::address::{Address, Space};

    #[test]
    fn every_preset_has_an_address_and_a_protocol() {
        for preset in PRESETS {
            let at = Address::parse(preset.base_url).unwrap();
            assert!(llm::providers::find(preset.provider).is_some(), "{}", preset.title);
            assert_eq!(at.space() == Space::Public, preset.start.is_empty(), "{}", preset.title);
            assert_eq!(at.space() == Space::Public, at.is_https, "{}", preset.title);
        }
        let mut titles: Vec<_> = PRESETS.iter().map(|p| p.title).collect();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), PRESETS.len());
    }

    #[test]
    fn commands_name_this_page_and_nothing_that_a_shell_would_run() {
        let made = commands(OLLAMA, "https://me.example:8443");
        assert!(made[0].1.starts_with("OLLAMA_ORIGINS=https://me.example:8443 "), "{made:?}");
        let hostile = commands(OLLAMA, "https://a\";rm -rf $HOME;`x`");
        for (_, command) in hostile {
            assert!(!command.contains(";rm") && !command.contains('$') && !command.contains('`'));
        }
    }

    #[test]
    fn our_own_servers_are_told_of_a_page_from_elsewhere() {
        let ours = PRESETS.iter().find(|p| p.title == "Graphground's scripts").unwrap();
        let command = |origin: &str| commands(ours.start, origin)[0].1.clone();
        for origin in ["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:8080"] {
            assert_eq!(command(origin), "graphground serve --port 8190");
        }
        for origin in
            ["https://teach.example", "null", "https://localhost:8080", "http://localhost.example"]
        {
            let wanted = format!("graphground serve --port 8190 --allow-origin {origin}");
            assert_eq!(command(origin), wanted);
        }
        assert_eq!(allow("https://a;rm -rf $HOME"), " --allow-origin https://arm-rfHOME");
    }

    #[test]
    fn commands_have_no_remarks() {
        for preset in PRESETS {
            for (place, command) in preset.start {
                assert!(!command.contains(" #"), "{} on {place}: {command}", preset.title);
            }
        }
    }

    #[test]
    fn a_server_is_guessed_by_its_port() {
        assert_eq!(at_port(11434, "ollama").unwrap().title, "Ollama");
        assert_eq!(at_port(11434, "openai").unwrap().title, "Ollama, OpenAI-compatible");
        assert_eq!(at_port(1234, "openai").unwrap().title, "LM Studio");
        assert_eq!(at_port(4711, "openai"), None);
    }
}
