// A service worker that adds the two headers without which a browser gives a page no threads, for
// hosts that cannot send them. boot.js registers it only where the page is not isolated already.
// It keeps nothing and changes nothing else; requests to other origins it leaves alone.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (new URL(request.url).origin !== self.location.origin) return;
  // What may come from the cache alone cannot be fetched from here unless it is of this origin.
  if (request.cache === "only-if-cached" && request.mode !== "same-origin") return;
  event.respondWith(isolated(request));
});

async function isolated(request) {
  const answer = await fetch(request);
  // A redirect that the browser is to follow itself, or an answer that nobody may read.
  if (answer.status === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "credentialless");
  const { status, statusText } = answer;
  // These may have no body.
  const body = [101, 103, 204, 205, 304].includes(status) ? null : answer.body;
  return new Response(body, { status, statusText, headers });
}
