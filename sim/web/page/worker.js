// Keeps the pages for when there is no network. The unit's page is kept whole under one version, so
// that no two versions meet; a new one waits until no page of the old one is open, or until the
// person takes it, which is offered while the unit is off. The pages beside it are taken from the
// network while there is one; each file is kept as it was last seen.

const OURS = `city-unit ${self.registration.scope} `;
const CACHE = OURS + "VERSION";
const KEPT = ["FILES"];
const BESIDE = OURS + "beside";

self.addEventListener("install", (event) => {
  const fresh = KEPT.map((path) => new Request(path, { cache: "reload" }));
  const page = caches.open(CACHE).then((cache) => cache.addAll(fresh));
  event.waitUntil(page.then(() => keepBeside().catch(() => {}))); // the page does without them
});

async function keepBeside() {
  const [names, cache] = [await (await fetch("beside.json")).json(), await caches.open(BESIDE)];
  await Promise.all(names.map((name) => cache.add(name).catch(() => {})));
}

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith(OURS) && name !== CACHE && name !== BESIDE);
  const forgotten = caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name))));
  // The page of the first visit was loaded without a worker; unclaimed, no new version waits for it.
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

/** A file by its name, whatever is asked of it behind a "?". */
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
