//! How large an element is on the screen.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;

/// The width and the height of a drawing in pixels; zeros before it is there.
pub(super) fn of(svg: NodeRef<leptos::svg::Svg>) -> Signal<(f64, f64)> {
    let size = RwSignal::new((0.0, 0.0));
    let watching = StoredValue::new_local(None::<Watching>);
    Effect::new(move |_| {
        let Some(element) = svg.get() else { return };
        let measured = element.clone();
        let measure = Closure::<dyn FnMut()>::new(move || {
            let area = measured.get_bounding_client_rect();
            let now = (area.width(), area.height());
            // What is hidden for a while keeps its form.
            if now.0 > 0.0 && size.try_get_untracked().is_some_and(|before| before != now) {
                size.set(now);
            }
        });
        let observer = web_sys::ResizeObserver::new(measure.as_ref().unchecked_ref());
        if let Ok(observer) = observer {
            observer.observe(&element);
            watching.set_value(Some(Watching { observer, _measure: measure }));
        }
    });
    size.into()
}

/// Watches until it is dropped.
struct Watching {
    observer: web_sys::ResizeObserver,
    _measure: Closure<dyn FnMut()>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
