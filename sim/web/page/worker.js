// Keeps the page for when there is no network. A new version is used from the next start on,
// never during a game: it waits until no page of the old one is open.

const OURS = `city-unit ${self.registration.scope} `;
const CACHE = OURS + "VERSION";
const KEPT = ["FILES"];

self.addEventListener("install", (event) => {
  const fresh = KEPT.map((path) => new Request(path, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith(OURS) && name !== CACHE);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const find = caches.open(CACHE).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(find.then((kept) => kept ?? fetch(event.request)));
});
