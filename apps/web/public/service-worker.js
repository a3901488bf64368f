// Lets the dashboard start without a connection: its page and its files, never an answer of the API, nothing personal.
// The page comes from the network whenever there is one, so an update needs nothing of this file.
const KEPT = 'app-files';
/** One page starts every address of the app; addresses themselves are not kept, nor what is drawn into their documents. */
const PAGE = '/index.html';
/** Documents of their own, for people who are online. */
const PUBLIC_PAGES = ['/', '/login', '/register', '/forgot-password', '/invitation'];
const PLAIN_FILES = ['/theme.js', '/icon.svg'];
/** A server that is away behind a proxy that is not. */
const AWAY = [502, 503, 504];

addEventListener('install', (event) => {
  skipWaiting();
  // Where the browser can, requests to the API do not wake this worker at all.
  const route = { condition: { urlPattern: '/api/*' }, source: 'network' };
  event.waitUntil(Promise.resolve(event.addRoutes?.(route)).catch(() => undefined));
});

addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([registration.navigationPreload?.enable(), clients.claim()]));
});

addEventListener('message', (event) => {
  if (Array.isArray(event.data?.keep)) event.waitUntil(keepFiles(event.data.keep));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/api/') || pathname.startsWith('/webhooks/')) return;
  if (request.mode === 'navigate') {
    event.respondWith(PUBLIC_PAGES.includes(pathname) ? openPublicPage(event) : openPage(event));
  } else if (pathname.startsWith('/assets/')) event.respondWith(readAsset(request));
  else if (PLAIN_FILES.includes(pathname)) event.respondWith(readPlainFile(request));
});

async function openPage(event) {
  const answer = await fetchPage(event).catch(() => undefined);
  if (answer && !AWAY.includes(answer.status)) {
    await keepPageOf(answer.clone()).catch(() => undefined);
    return answer;
  }
  const kept = await (await caches.open(KEPT)).match(PAGE);
  return kept ?? answer ?? Response.error();
}

/** Where the server cannot be had the dashboard says so in its own words, and goes on to the sign-in once there is one. */
async function openPublicPage(event) {
  const answer = await fetchPage(event).catch(() => undefined);
  if (answer && !AWAY.includes(answer.status)) return answer;
  const kept = await (await caches.open(KEPT)).match(PAGE);
  return kept ? Response.redirect('/dashboard') : (answer ?? Response.error());
}

async function fetchPage(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

/** A document that begins with other files is of a new build: the files of the one before go before the new ones come. */
async function keepPageOf(answer) {
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('text/html')) return;
  const known = await (await caches.open(KEPT)).match(PAGE);
  if (known && beginningOf(await known.text()) === beginningOf(await answer.text())) return;
  await caches.delete(KEPT);
  await (await caches.open(KEPT)).add(PAGE);
}

function beginningOf(html) {
  return String(html.match(/<(script type="module"|link rel="stylesheet")[^>]*>/g));
}

/** Its name changes with its content, so a kept one is as good as a new one. */
async function readAsset(request) {
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone()).catch(() => undefined);
  return answer;
}

async function readPlainFile(request) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch {
    return (await cache.match(request)) ?? Response.error();
  }
}

/** What a page had loaded before this worker saw its requests. */
async function keepFiles(paths) {
  await keepPageOf(await fetch(PAGE));
  const cache = await caches.open(KEPT);
  const assets = paths.filter((path) => typeof path === 'string' && path.startsWith('/assets/'));
  for (const path of [...assets, ...PLAIN_FILES])
    if (!(await cache.match(path))) await cache.add(path).catch(() => undefined);
}

// What the server pushes says what to show and which page it opens; it came sealed for this browser.
addEventListener('push', (event) => {
  event.waitUntil(showPushed(event.data));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPressed(event.notification.data?.path));
});

async function showPushed(data) {
  const { title, body, tag, path } = readPushed(data);
  // The same news again takes the place of the first, without a sound.
  await registration.showNotification(title, { body, tag, icon: '/icon.svg', data: { path } });
}

/** A browser takes a push only for a notification that shows: one that cannot be read is one without words. */
function readPushed(data) {
  try {
    const { title, body, tag, path } = data.json();
    return { title: String(title), body: String(body), tag: String(tag), path: String(path) };
  } catch {
    return { title: location.hostname, body: '', tag: 'unread', path: '/dashboard' };
  }
}

/** A tab that is open already shows the page without loading anew, so that nothing that somebody writes is lost. */
async function openPressed(path) {
  const url = new URL(typeof path === 'string' ? path : '/dashboard', location.origin);
  const target = url.origin === location.origin ? url.pathname + url.search : '/dashboard';
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = tabs.filter((tab) => new URL(tab.url).pathname.startsWith('/dashboard'));
  const tab = open.find(({ visibilityState }) => visibilityState === 'visible') ?? open[0];
  if (!tab) return clients.openWindow(target);
  await tab.focus().catch(() => undefined);
  tab.postMessage({ openPath: target });
}
