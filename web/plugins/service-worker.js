/** Keeps every file of the page, so that it opens without a network. Another version of the page replaces all of them at once, when the page asks for it or all its windows have been closed. */
const CACHE = 'playground-__VERSION__';
const FILES = __FILES__;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

self.addEventListener('message', ({ data }) => {
  if (data === 'activate') void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const others = caches.keys().then((names) => names.filter((name) => name.startsWith('playground-') && name !== CACHE));
  event.waitUntil(others.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.open(CACHE).then((cache) => kept(cache, event.request)).then((file) => file ?? fetch(event.request)));
});

/** The file of a request. A server may let the page be in a frame by its `?embed` alone, so that is another file. */
async function kept(cache, request) {
  return (await cache.match(request)) ?? cache.match(request, { ignoreSearch: true });
}
