// Keeps what the page is made of, so that a page that was visited opens without its server.

const KEPT = "marquis";

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isKept = pathname === "/" || pathname === "/v1/games" || /^\/(assets|offline|rules)\//.test(pathname);
  if (method === "GET" && origin === location.origin && isKept) event.respondWith(answer(event.request, pathname));
});

/** What the server says now, or said last. */
async function answer(request, pathname) {
  const kept = await caches.open(KEPT);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await kept.put(pathname, fresh.clone());
    return fresh;
  } catch (error) {
    const last = await kept.match(pathname);
    if (last) return last;
    throw error;
  }
}
