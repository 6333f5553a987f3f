// Caches the files of the page, so that a visited page opens without its server.

const KEPT = "marquis";

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isKept = pathname === "/" || /^\/(assets|offline|rules)\//.test(pathname);
  if (method === "GET" && origin === location.origin && isKept) event.respondWith(answer(event.request, pathname));
});

/** The server's response, or the last cached one. */
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
