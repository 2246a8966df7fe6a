// The library's bundle names these while it loads, for a format that is not timed; workers lack them.
globalThis.DOMParser ??= class {};
globalThis.Document ??= class {};
