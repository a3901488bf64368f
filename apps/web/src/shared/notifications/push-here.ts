import { api } from '../api.ts';
import { OWNER } from './leave-browser-here.ts';

export type PushState = 'ready' | 'denied' | 'unsupported' | 'insecure' | 'ios';

/** Whether this browser can be told while the app is closed, or why not. */
export function readPushState(): PushState {
  if (!isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return /iPhone|iPad/.test(navigator.userAgent) ? 'ios' : 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}

/** Only after a press: asks the person, then the browser's push service, then tells the server. Null where the person said no. */
export async function addBrowserHere(publicKey: string, ownId: string) {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await readyWorker();
  const before = await pushManager.getSubscription();
  // One for another key hears nothing of this installation.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const kept = await tell(subscription);
  localStorage.setItem(OWNER, ownId);
  return kept;
}

/** What was asked for here before goes on in the session of now; nothing is asked for by itself. */
export async function keepBrowserHere(ownId: string): Promise<void> {
  if (readPushState() !== 'ready' || Notification.permission !== 'granted') return;
  if (localStorage.getItem(OWNER) !== ownId) return;
  const { pushManager } = await readyWorker();
  const subscription = await pushManager.getSubscription();
  if (subscription) await tell(subscription);
}

/** The pages that presses on notifications ask for, where a tab is open already; one of another workspace than the tab's is a new document. */
export function onPressedNotification(
  workspaceId: string | undefined,
  open: (path: string) => void,
): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined;
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'object' && data !== null && 'openPath' in data && typeof data.openPath === 'string')
      openIn(workspaceId, data.openPath, open);
  };
  navigator.serviceWorker.addEventListener('message', hear);
  return () => navigator.serviceWorker.removeEventListener('message', hear);
}

function openIn(here: string | undefined, path: string, open: (path: string) => void): void {
  const url = new URL(path, location.origin);
  const named = url.searchParams.get('workspace');
  if (named !== null && named !== here) return location.assign(path);
  url.searchParams.delete('workspace');
  open(url.pathname + url.search);
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) throw new Error('There is no service worker.');
  return navigator.serviceWorker.ready;
}

function tell(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON();
  return api.notifications.addBrowser({
    ...{ endpoint: endpoint ?? '', p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
  });
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
