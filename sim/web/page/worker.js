// The service worker: caches the pages for use without a network. The unit's page is cached as a whole,
// under one version, so that files of two versions never mix. A new version waits until no page of the
// old one is open, or until the user accepts it, which the page offers while the unit is off. The files
// of the other pages come from the network while there is one, and else from the cache.

const OURS = `city-unit ${self.registration.scope} `;
const CACHE = OURS + "VERSION";
const KEPT = ["FILES"];
const BESIDE = OURS + "beside";

self.addEventListener("install", (event) => {
  const fresh = KEPT.map((path) => new Request(path, { cache: "reload" }));
  const page = caches.open(CACHE).then((cache) => cache.addAll(fresh));
  event.waitUntil(page.then(() => keepBeside().catch(() => {}))); // the unit's page works without them
});

async function keepBeside() {
  const [names, cache] = [await (await fetch("beside.json")).json(), await caches.open(BESIDE)];
  await Promise.all(names.map((name) => cache.add(name).catch(() => {})));
}

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith(OURS) && name !== CACHE && name !== BESIDE);
  const forgotten = caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name))));
  // The first visit loaded the page without a worker; without a claim, a new version would not wait for it.
  event.waitUntil(forgotten.then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => event.data === "take over" && self.skipWaiting());

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const open = self.clients.matchAll({ type: "window" });
  event.waitUntil(open.then(([page]) => (page ? page.focus() : self.clients.openWindow("./"))));
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});

/** Find the file of a request, ignoring its query. */
async function answer(request) {
  const name = request.url.slice(self.registration.scope.length).replace(/[?#].*/, "");
  const cache = await caches.open(CACHE);
  const kept = await cache.match(name === "index.html" ? "./" : name || "./");
  if (kept) return kept;
  const beside = await caches.open(BESIDE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await beside.put(name, fresh.clone());
    return fresh;
  } catch (error) {
    const last = await beside.match(name);
    if (last) return last;
    throw error;
  }
}
