//! What is used of WebGPU. `web-sys` has it only for builds that take all of its unstable interfaces.

use js_sys::{Array, JSON, Object, Promise, Reflect};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// `navigator.gpu`.
    pub(super) type GpuEntry;
    #[wasm_bindgen(method, js_name = requestAdapter)]
    pub(super) fn request_adapter(this: &GpuEntry) -> Promise;
    #[wasm_bindgen(method, js_name = getPreferredCanvasFormat)]
    pub(super) fn preferred_format(this: &GpuEntry) -> String;

    pub(super) type GpuAdapter;
    #[wasm_bindgen(method, js_name = requestDevice)]
    pub(super) fn request_device(this: &GpuAdapter) -> Promise;

    #[derive(Clone)]
    pub(super) type GpuDevice;
    #[wasm_bindgen(method, getter)]
    pub(super) fn queue(this: &GpuDevice) -> GpuQueue;
    #[wasm_bindgen(method, getter)]
    pub(super) fn lost(this: &GpuDevice) -> Promise;
    #[wasm_bindgen(method, getter)]
    pub(super) fn limits(this: &GpuDevice) -> JsValue;
    #[wasm_bindgen(method, js_name = createBuffer)]
    pub(super) fn create_buffer(this: &GpuDevice, how: &Object) -> GpuBuffer;
    #[wasm_bindgen(method, js_name = createShaderModule)]
    pub(super) fn create_shader(this: &GpuDevice, how: &Object) -> JsValue;
    #[wasm_bindgen(method, js_name = createBindGroupLayout)]
    pub(super) fn create_group_layout(this: &GpuDevice, how: &Object) -> JsValue;
    #[wasm_bindgen(method, js_name = createPipelineLayout)]
    pub(super) fn create_pipeline_layout(this: &GpuDevice, how: &Object) -> JsValue;
    #[wasm_bindgen(method, js_name = createRenderPipelineAsync)]
    pub(super) fn create_pipeline(this: &GpuDevice, how: &Object) -> Promise;
    #[wasm_bindgen(method, js_name = createBindGroup)]
    pub(super) fn create_group(this: &GpuDevice, how: &Object) -> JsValue;
    #[wasm_bindgen(method, js_name = createTexture)]
    pub(super) fn create_texture(this: &GpuDevice, how: &Object) -> GpuTexture;
    #[wasm_bindgen(method, js_name = createCommandEncoder)]
    pub(super) fn create_encoder(this: &GpuDevice) -> GpuEncoder;

    pub(super) type GpuQueue;
    #[wasm_bindgen(method, js_name = writeBuffer)]
    pub(super) fn write_floats(this: &GpuQueue, to: &GpuBuffer, at: u32, values: &[f32]);
    #[wasm_bindgen(method, js_name = writeBuffer)]
    pub(super) fn write_numbers(this: &GpuQueue, to: &GpuBuffer, at: u32, values: &[u32]);
    #[wasm_bindgen(method, js_name = writeBuffer)]
    pub(super) fn write_bytes(this: &GpuQueue, to: &GpuBuffer, at: u32, values: &[u8]);
    #[wasm_bindgen(method)]
    pub(super) fn submit(this: &GpuQueue, all: &Array);

    pub(super) type GpuBuffer;
    #[wasm_bindgen(method)]
    pub(super) fn destroy(this: &GpuBuffer);

    pub(super) type GpuTexture;
    #[wasm_bindgen(method, js_name = createView)]
    pub(super) fn view(this: &GpuTexture) -> JsValue;
    #[wasm_bindgen(method, js_name = destroy)]
    pub(super) fn destroy_texture(this: &GpuTexture);

    pub(super) type GpuContext;
    #[wasm_bindgen(method, catch)]
    pub(super) fn configure(this: &GpuContext, how: &Object) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = getCurrentTexture)]
    pub(super) fn current_texture(this: &GpuContext) -> Result<GpuTexture, JsValue>;

    pub(super) type GpuEncoder;
    #[wasm_bindgen(method, js_name = beginRenderPass)]
    pub(super) fn begin_pass(this: &GpuEncoder, how: &Object) -> GpuPass;
    #[wasm_bindgen(method)]
    pub(super) fn finish(this: &GpuEncoder) -> JsValue;

    pub(super) type GpuPass;
    #[wasm_bindgen(method, js_name = setPipeline)]
    pub(super) fn set_pipeline(this: &GpuPass, pipeline: &JsValue);
    #[wasm_bindgen(method, js_name = setBindGroup)]
    pub(super) fn set_group(this: &GpuPass, place: u32, group: &JsValue);
    #[wasm_bindgen(method, js_name = setVertexBuffer)]
    pub(super) fn set_vertices(this: &GpuPass, place: u32, buffer: &GpuBuffer);
    #[wasm_bindgen(method, js_name = setIndexBuffer)]
    pub(super) fn set_index(this: &GpuPass, buffer: &GpuBuffer, format: &str);
    #[wasm_bindgen(method)]
    pub(super) fn draw(this: &GpuPass, n_vertices: u32, n_instances: u32);
    #[wasm_bindgen(method, js_name = drawIndexed)]
    pub(super) fn draw_indexed(this: &GpuPass, n: u32);
    #[wasm_bindgen(method)]
    pub(super) fn end(this: &GpuPass);
}

/// What WebGPU is told: JSON, and under names what JSON cannot hold. Text of our own is always read.
pub(super) fn told(json: &str, handles: &[(&str, &JsValue)]) -> Object {
    let object = JSON::parse(json).map_or_else(|_| Object::new(), Object::from);
    for (name, value) in handles {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object
}
