//! A plan walked through step by step: in each, every robot that has not come to its end goes one
//! location on.

use tasks::rescue::RescuePlan;

use super::viewer::{StepKind, TimeSpan};

/// How many steps there are: as many as the longest route has.
pub fn n_steps(plan: &RescuePlan) -> usize {
    plan.routes.iter().map(|r| r.path.len().saturating_sub(1)).max().unwrap_or_default()
}

/// The steps as a timeline shows them, all as wide.
pub fn line(plan: &RescuePlan) -> Vec<TimeSpan> {
    let n = n_steps(plan);
    let span = |step: usize| TimeSpan {
        step,
        from: step as f64 / n as f64,
        to: (step + 1) as f64 / n as f64,
        kind: StepKind::Turn,
    };
    (0..n).map(span).collect()
}

/// What the robots do in the step before a cursor, in one sentence.
pub fn caption(plan: &RescuePlan, cursor: usize) -> String {
    let n = n_steps(plan);
    if n == 0 {
        return String::new();
    }
    let Some(step) = cursor.min(n).checked_sub(1) else {
        return "Every robot stands where it is.".to_owned();
    };
    let moves = plan.routes.iter().filter_map(|route| {
        let (from, to) = (route.path.get(step)?, route.path.get(step + 1)?);
        // A location may be passed before somebody is served there: the first time counts.
        let is_first = !route.path[..=step].contains(to);
        let served = route.stops.iter().filter(|s| is_first && s.at == *to);
        let served: Vec<&str> = served.map(|s| s.survivor.as_str()).collect();
        let reaches = match served.as_slice() {
            [] => String::new(),
            names => format!(" and reaches {}", names.join(", ")),
        };
        Some(format!("{} goes from {from} to {to}{reaches}", route.robot))
    });
    format!("{}.", moves.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use tasks::rescue::{NINE_LOCATIONS, Scenario, plan};

    use super::*;

    #[test]
    fn robots_go_on_together_until_the_last_one_is_there() {
        let made = plan(&Scenario::from_json(NINE_LOCATIONS).unwrap()).unwrap();
        let n = n_steps(&made);
        assert!(n > 0 && line(&made).len() == n);
        assert_eq!(line(&made)[n - 1].to, 1.0);
        assert!(caption(&made, 0).starts_with("Every robot stands"));
        let first = caption(&made, 1);
        for route in made.routes.iter().filter(|r| r.path.len() > 1) {
            let words = format!("{} goes from {} to {}", route.robot, route.path[0], route.path[1]);
            assert!(first.contains(&words), "{first}");
        }
        // Whoever is served is told once.
        let all: String = (1..=n).map(|k| caption(&made, k)).collect();
        for stop in made.routes.iter().flat_map(|r| &r.stops) {
            assert_eq!(all.matches(&format!("reaches {}", stop.survivor)).count(), 1, "{all}");
        }
        assert_eq!(caption(&made, n), caption(&made, usize::MAX));
    }

    #[test]
    fn a_plan_in_which_nobody_moves_has_no_steps() {
        let none = RescuePlan { routes: Vec::new(), unreachable: Vec::new(), optimal: None };
        assert_eq!((n_steps(&none), caption(&none, 1)), (0, String::new()));
        assert!(line(&none).is_empty());
    }
}
