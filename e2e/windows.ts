import type { Browser, BrowserContext, BrowserContextOptions, ViewportSize } from '@playwright/test';
import type { Product } from './run-product.ts';

export type Wish = {
  width: number;
  theme: 'light' | 'dark';
  locale: string;
  /** Nothing is loaded ahead, which costs more than most pages that are opened. */
  savesData: boolean;
};
export type Windows = {
  /** Like a new one, but that the files of the app are there already. Its first page is open. */
  take(wish: Wish): Promise<BrowserContext>;
  giveBack(context: BrowserContext): Promise<void>;
  /** Signs in, or goes on with the session that the journey before had, where that still counts. */
  signIn(context: BrowserContext, role: string): Promise<void>;
};

const PASSWORD = 'Welcome123';
/** An address without a script. */
const STILL = '/icon.svg';
/** A window that takes longer is closed. */
const EMPTIED_WITHIN_MS = 20_000;

/** What a journey may have listened to on a page that the next one goes on with. */
const HEARD = [
  ...['console', 'pageerror', 'dialog', 'popup', 'download', 'filechooser'],
  ...['request', 'requestfinished', 'requestfailed', 'response'],
] as const;

/**
 * The windows of a worker. Each new one loads and compiles the whole app again, which costs more than most journeys, and a new page
 * half as much as what it shows: a window that is given back loses all that a person could leave in it, and is taken again with its
 * page. A script that a journey adds to each page of it would stay: whoever needs one asks for a first visit.
 */
export function keepWindows(browser: Browser, product: Product): Windows {
  const free = new Map<string, BrowserContext[]>();
  const wishes = new Map<BrowserContext, Wish>();
  const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>();
  return {
    async take(wish) {
      const key = JSON.stringify(wish);
      const kept = free.get(key)?.pop();
      if (kept) return kept;
      const context = await browser.newContext(windowOptions(product, wish));
      wishes.set(context, wish);
      if (wish.savesData) await context.addInitScript(saveData);
      await context.addInitScript(hideHint);
      await context.addInitScript(keepNotifications);
      await context.newPage();
      return context;
    },
    async giveBack(context) {
      const wish = wishes.get(context);
      if (!wish || !(await inTime(empty(context, wish)))) return context.close();
      const key = JSON.stringify(wish);
      free.set(key, [...(free.get(key) ?? []), context]);
    },
    async signIn(context, role) {
      const kept = sessions.get(role);
      if (kept) {
        await context.addCookies(kept);
        const session = await context.request.get('/api/session');
        if ((await session.json()) !== null) return;
        await context.clearCookies();
      }
      await signIn(context, role);
      sessions.set(role, await context.cookies());
    },
  };
}

export function windowOptions(product: Product, wish: Wish): BrowserContextOptions {
  const { theme, locale } = wish;
  return { baseURL: product.url, viewport: sizeOf(wish), colorScheme: theme, locale };
}

function sizeOf({ width }: Wish): ViewportSize {
  return { width, height: width < 500 ? 780 : 860 };
}

export async function signIn(context: BrowserContext, role: string): Promise<void> {
  const answer = await context.request.post('/api/auth/sign-in/email', {
    data: { email: `${role}@example.com`, password: PASSWORD },
  });
  if (!answer.ok()) throw new Error(`${role} could not sign in: ${answer.status()}`);
}

/** As a browser does that was asked to: Playwright has no setting for it. */
function saveData(): void {
  const connection = (navigator as { connection?: object }).connection ?? {};
  Object.defineProperty(connection, 'saveData', { value: true });
}

/** Pages stand as those of a business do; whoever looks at what a sample says of itself takes this away. */
function hideHint(): void {
  if (location.protocol.startsWith('http') && localStorage.getItem('shows-sample-hint') === null)
    sessionStorage.setItem('sample-hint-hidden', 'yes');
}

/** A busy machine looks at a page less often than a person does: what goes by itself after three or five seconds stays for fifteen, and with an Undo for a minute. */
export function keepNotifications(): void {
  const wait = globalThis.setTimeout;
  // Three seconds is also what others wait: those of a notification begin when it is there.
  const isOfNotification = (ms?: number) =>
    ms === 5_000 || (ms === 3_000 && document.querySelector('[data-notifications] p') !== null);
  // What can be taken back waits for a journey that presses Undo, on a machine that has much else to do.
  const stays = () =>
    document.querySelector('[data-notifications] button[aria-keyshortcuts]') === null ? 15_000 : 60_000;
  const patient = (handler: TimerHandler, ms?: number, ...given: unknown[]) =>
    wait(handler, isOfNotification(ms) ? stays() : ms, ...given);
  Object.assign(globalThis, { setTimeout: patient });
}

/** False of what fails, as to send a page away that is on its way to somewhere else, and of what does not end. */
async function inTime(work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, EMPTIED_WITHIN_MS, false)));
  const isDone = await Promise.race([work.catch(() => false), limit]);
  clearTimeout(timer);
  return isDone;
}

async function empty(context: BrowserContext, wish: Wish): Promise<boolean> {
  const [page, ...others] = context.pages();
  if (!page) return false;
  await Promise.all(others.map((other) => other.close()));
  for (const event of HEARD) page.removeAllListeners(event);
  await context.setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  // First of all: a page that meets the end of its session goes away by itself. While one of the site is open, its process stays, and
  // what it has compiled.
  await page.goto(STILL, { waitUntil: 'commit' });
  await context.clearCookies();
  await context.clearPermissions();
  await page.setViewportSize(sizeOf(wish));
  await page.emulateMedia({ colorScheme: wish.theme });
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  return true;
}
