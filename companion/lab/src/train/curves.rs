//! Learning curves as a drawing: what was measured by epoch.

use std::fmt::Write as _;

use super::choice::Point;
use super::choice::Window;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 120.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 40.0;
/// The most points of a line.
const MAX_POINTS: usize = 400;

/// A line: its name, its class, which gives its colour and its dashes, and its figures.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) class: &'static str,
    pub(crate) values: Vec<f64>,
}

/// Lines over the same epochs or steps.
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) lines: Vec<Line>,
    /// What was chosen, with the first and the last measurement that it was chosen for.
    pub(crate) chosen: Option<(usize, usize)>,
}

/// Draws a training: its metric above, its loss below, and the epoch that was chosen with the
/// measurements that it was chosen for.
pub(crate) fn curves(title: &str, metric: &str, history: &[Point], chosen: &Window) -> String {
    let step = history.len().div_ceil(MAX_POINTS).max(1);
    let last = history.len().saturating_sub(1);
    let shown: Vec<&Point> = history
        .iter()
        .enumerate()
        .filter(|(i, p)| i % step == 0 || *i == last || p.epoch == chosen.to)
        .map(|(_, p)| p)
        .collect();
    let line = |name, class, of: fn(&Point) -> f64| {
        let values = shown.iter().map(|p| of(p)).collect();
        Line { name, class, values }
    };
    let chosen = Some((chosen.from, chosen.to));
    let panels = [
        Panel {
            title: format!("{title}: {metric}"),
            lines: vec![line("validation", "a", |p| p.valid), line("test", "b", |p| p.test)],
            chosen,
        },
        Panel {
            title: "mean loss of an epoch".to_owned(),
            lines: vec![line("loss", "c", |p| p.loss)],
            chosen,
        },
    ];
    let epochs: Vec<usize> = shown.iter().map(|p| p.epoch).collect();
    drawn(title, &epochs, &panels)
}

/// Draws panels, one below the other, over the same epochs or steps.
pub(crate) fn drawn(title: &str, at: &[usize], panels: &[Panel]) -> String {
    let height = HEIGHT * panels.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{}\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n<style>\
         :root{{color-scheme:light dark}}\
         .p{{fill:light-dark(#fff,#17191d)}}.w{{fill:light-dark(#e6edf6,#27303c)}}text{{fill:light-dark(#222,#e4e4e4)}}\
         line{{stroke:light-dark(#bbb,#555)}}polyline{{fill:none;stroke-width:1.8}}\
         .a{{stroke:light-dark(#0b62c4,#7db8ff)}}\
         .b{{stroke:light-dark(#a8480b,#ffab70);stroke-dasharray:6 3}}\
         .c{{stroke:light-dark(#5a5a5a,#bcbcbc)}}\
         .d{{stroke:light-dark(#1d7a3a,#7fd89b);stroke-dasharray:2 3}}</style>\n<rect class=\"p\" width=\"{WIDTH}\" \
         height=\"{height}\"/>\n",
        escaped(title),
    );
    for (i, panel) in panels.iter().enumerate() {
        draw(&mut out, HEIGHT * i as f64, panel, at);
    }
    out.push_str("</svg>\n");
    out
}

fn draw(out: &mut String, down: f64, panel: &Panel, at: &[usize]) {
    let values = || panel.lines.iter().flat_map(|line| line.values.iter().copied());
    let (low, high) = values().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    let ticks = ticks(low, high);
    let (Some(first), Some(last)) = (ticks.first(), ticks.last()) else { return };
    let epochs = at.last().copied().unwrap_or(1).max(1) as f64;
    let x = |epoch: usize| LEFT + (WIDTH - LEFT - RIGHT) * epoch as f64 / epochs;
    let span = (last - first).max(f64::MIN_POSITIVE);
    let y = |v: f64| down + HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (v - first) / span;
    // A `String` takes whatever is written.
    let _ =
        writeln!(out, "<text x=\"{LEFT}\" y=\"{}\">{}</text>", down + 20.0, escaped(&panel.title));
    if let Some((from, to)) = panel.chosen {
        let _ = writeln!(
            out,
            "<rect class=\"w\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            x(from),
            y(*last),
            x(to) - x(from),
            y(*first) - y(*last),
        );
    }
    for tick in &ticks {
        let at = y(*tick);
        let (end, label) = (WIDTH - RIGHT, shortest(*tick));
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{end}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 8.0,
            at + 4.0
        );
    }
    let foot = down + HEIGHT - BOTTOM + 20.0;
    for epoch in [0, (epochs / 2.0) as usize, epochs as usize] {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{foot:.1}\" text-anchor=\"middle\">{epoch}</text>",
            x(epoch)
        );
    }
    if let Some((_, to)) = panel.chosen {
        let _ = writeln!(
            out,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{1:.1}\" y2=\"{2:.1}\" stroke-dasharray=\"2 3\"/>\
             <text x=\"{0:.1}\" y=\"{3:.1}\" text-anchor=\"middle\">chosen: {to}</text>",
            x(to),
            y(*first),
            y(*last),
            foot + 15.0,
        );
    }
    let mut labels: Vec<(f64, &str)> = Vec::new();
    for line in &panel.lines {
        let points: Vec<String> = at
            .iter()
            .zip(&line.values)
            .map(|(epoch, value)| format!("{:.1},{:.1}", x(*epoch), y(*value)))
            .collect();
        let (class, points) = (line.class, points.join(" "));
        let _ = writeln!(out, "<polyline class=\"{class}\" points=\"{points}\"/>");
        labels.push((line.values.last().map_or(0.0, |value| y(*value)), line.name));
    }
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut least = f64::MIN;
    for (at, name) in labels {
        let at = at.max(least);
        least = at + 16.0;
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{:.1}\">{name}</text>",
            WIDTH - RIGHT + 8.0,
            at + 4.0
        );
    }
}

/// Round numbers around a range, four to eight of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    if !low.is_finite() || !high.is_finite() || low > high {
        return Vec::new();
    }
    let span = (high - low).max(high.abs().max(1e-3) * 1e-3);
    let size = 10_f64.powf((span / 4.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|k| k * size).find(|s| span / s <= 5.0);
    let step = step.unwrap_or(10.0 * size);
    let (from, to) = ((low / step).floor() as i64, (high / step).ceil() as i64);
    (from..=to.max(from + 1)).map(|i| i as f64 * step).collect()
}

fn shortest(x: f64) -> String {
    let text = format!("{x:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_has_its_lines_and_no_number_that_is_none() {
        let point = |epoch: usize| {
            let x = epoch as f64;
            Point { epoch, loss: 2.0 / x, valid: x / 900.0, test: x / 1000.0, valid_loss: 0.0 }
        };
        let window = |from, to| Window { from, to, valid: 0.5, valid_loss: 0.5 };
        let history: Vec<Point> = (1..=1000).map(point).collect();
        let svg = curves("cora & <graph_bert>", "accuracy", &history, &window(771, 777));
        assert_eq!(svg.matches("<polyline").count(), 3);
        // The ground that both windows stand on is as wide as six of a thousand epochs.
        assert_eq!(svg.matches("class=\"w\"").count(), 2);
        assert!(svg.contains("width=\"3.2\""));
        assert!(svg.contains("chosen: 777") && svg.contains("cora &amp; &lt;graph_bert&gt;"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(svg.len() < 40_000, "{}", svg.len());
        let one = curves("a", "b", &history[..1], &window(1, 1));
        assert!(!one.contains("NaN"));
    }

    #[test]
    fn ticks_are_around_what_is_shown() {
        for (low, high) in [(0.0, 1.0), (0.71, 0.843), (3.0, 3.0), (-2.0, 0.1), (1e-6, 2e-6)] {
            let all = ticks(low, high);
            assert!(all[0] <= low && *all.last().unwrap() >= high, "{all:?}");
            assert!((2..=9).contains(&all.len()), "{all:?}");
        }
    }
}
