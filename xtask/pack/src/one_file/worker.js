// Starts an engine in this worker, once the page has sent the compiled module.
onmessage = (event) => {
  onmessage = null;
  wasm_bindgen({ module_or_path: event.data });
};
