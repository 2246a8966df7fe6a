//! Locks that the tabs of one browser share, so that two of them do not write the same thing.

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;

/// A lock that is held until it is dropped.
pub(crate) struct Lock(Option<Function>);

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(release) = self.0.take() {
            let _ = release.call0(&JsValue::UNDEFINED);
        }
    }
}

/// Takes a lock; `None` where another tab holds it. Pages over plain http have no locks: there every
/// tab gets one.
pub(crate) async fn take(name: &str) -> Option<Lock> {
    let navigator = leptos::prelude::window().navigator();
    let locks = Reflect::get(&navigator, &"locks".into()).ok().filter(|l| !l.is_falsy());
    let request = locks.as_ref().and_then(|l| Reflect::get(l, &"request".into()).ok());
    let (Some(locks), Some(Ok(request))) = (locks, request.map(JsCast::dyn_into::<Function>))
    else {
        return Some(Lock(None));
    };
    let options = Object::new();
    let _ = Reflect::set(&options, &"ifAvailable".into(), &JsValue::TRUE);
    // The browser calls back with the lock, or with null; it is held until the promise that the
    // callback gives is kept.
    let answered = Promise::new(&mut |answer: Function, _| {
        let held = Closure::once_into_js(move |lock: JsValue| {
            if lock.is_null() {
                let _ = answer.call1(&JsValue::UNDEFINED, &JsValue::NULL);
                return JsValue::UNDEFINED;
            }
            let promise = Promise::new(&mut |release: Function, _| {
                let _ = answer.call1(&JsValue::UNDEFINED, &release);
            });
            promise.into()
        });
        let _ = request.call3(&locks, &name.into(), &options, &held);
    });
    let release = JsFuture::from(answered).await.ok()?;
    release.dyn_into().ok().map(|release| Lock(Some(release)))
}
