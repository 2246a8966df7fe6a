struct Step {
  middle: vec2f,
  scale: vec2f,
  // Half a pixel of the canvas.
  pixel: vec2f,
  dot_size: f32,
  is_plain: f32,
  plain: vec4f,
}
@group(0) @binding(0) var<uniform> how: Step;

struct Corner {
  @builtin(position) place: vec4f,
  @location(0) colour: vec4f,
  @location(1) from_middle: vec2f,
}

@vertex fn edge(@location(0) at: vec2f) -> Corner {
  let place = vec4f((at - how.middle) * how.scale, 0.0, 1.0);
  return Corner(place, how.plain, vec2f());
}

// A point is one pixel here, so a node is a square of two triangles.
@vertex fn node(
  @builtin(vertex_index) index: u32,
  @location(0) at: vec2f,
  @location(1) tint: vec4f,
  @location(2) radius: f32,
) -> Corner {
  let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
  let size = max(radius * how.dot_size, 1.5);
  var place = vec4f((at - how.middle) * how.scale + corner * size * how.pixel, 0.0, 1.0);
  if (radius <= 0.0) { place = vec4f(2.0, 2.0, 2.0, 1.0); }
  let own = vec4f(tint.rgb, how.plain.a);
  return Corner(place, select(own, how.plain, how.is_plain > 0.0), corner);
}

@fragment fn line(corner: Corner) -> @location(0) vec4f {
  return vec4f(corner.colour.rgb * corner.colour.a, corner.colour.a);
}

@fragment fn disc(corner: Corner) -> @location(0) vec4f {
  let away = dot(corner.from_middle, corner.from_middle);
  if (away > 1.0) { discard; }
  let alpha = corner.colour.a * (1.0 - smoothstep(0.7, 1.0, away));
  return vec4f(corner.colour.rgb * alpha, alpha);
}
