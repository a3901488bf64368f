import { api, notify } from './dom.js';

/** What the sandbox knows, as it was asked last; parts of the page listen to its news. */
export const shared = { state: null };

const listeners = [];
export const onNews = (listener) => listeners.push(listener);

export async function refresh() {
  const next = await api('GET', `/_sandbox/page/state?since=${shared.state?.version ?? ''}`);
  if (!next) return;
  shared.state = next;
  await Promise.all(listeners.map((listener) => listener(next)));
}

const EVERY_MS = 400;

/** Asks for news for as long as the page is looked at. */
export async function follow() {
  try {
    if (!document.hidden) await refresh();
  } catch {
    notify('The sandbox does not answer.');
  }
  setTimeout(follow, EVERY_MS);
}
