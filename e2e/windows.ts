import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import type { Product } from './run-product.ts';

export type Wish = {
  width: number;
  theme: 'light' | 'dark';
  locale: string;
  /** Nothing is loaded ahead, which costs more than most pages that are opened. */
  savesData: boolean;
};
export type Windows = {
  /** Like a new one, but that the files of the app are there already. */
  take(wish: Wish): Promise<BrowserContext>;
  giveBack(context: BrowserContext): Promise<void>;
  /** Signs in, or goes on with the session that the journey before had, where that still counts. */
  signIn(context: BrowserContext, role: string): Promise<void>;
};

const PASSWORD = 'Welcome123';

/**
 * The windows of a worker. Each new one loads and compiles the whole app again, which costs more than most journeys: one
 * that is given back loses all that a person could leave in it, and is taken again.
 */
export function keepWindows(browser: Browser, product: Product): Windows {
  const free = new Map<string, BrowserContext[]>();
  const keyOf = new Map<BrowserContext, string>();
  const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>();
  return {
    async take(wish) {
      const key = JSON.stringify(wish);
      const kept = free.get(key)?.pop();
      if (kept) return kept;
      const context = await browser.newContext(windowOptions(product, wish));
      keyOf.set(context, key);
      if (wish.savesData) await context.addInitScript(saveData);
      // While a page of the site is open, its process stays, and what it has compiled.
      await openKeeper(context);
      return context;
    },
    async giveBack(context) {
      const key = keyOf.get(context) ?? '';
      await empty(context);
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

export function windowOptions(product: Product, { width, theme, locale }: Wish): BrowserContextOptions {
  return {
    baseURL: product.url,
    viewport: { width, height: width < 500 ? 780 : 860 },
    colorScheme: theme,
    locale,
  };
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

async function openKeeper(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto('/icon.svg');
}

async function empty(context: BrowserContext): Promise<void> {
  const [keeper, ...pages] = context.pages() as [Page, ...Page[]];
  await Promise.all(pages.map((page) => page.close()));
  await context.setOffline(false);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearCookies();
  await context.clearPermissions();
  await keeper.evaluate(() => localStorage.clear());
}
