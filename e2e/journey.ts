import {
  expect,
  test as base,
  type BrowserContext,
  type Page,
  type Request,
  type ViewportSize,
} from '@playwright/test';
import { findViolations } from './find-violations.ts';
import { startProduct } from './start-product.ts';
import type { Product, ProductOptions } from './run-product.ts';
import { keepNotifications, keepWindows, signIn, windowOptions, type Windows, type Wish } from './windows.ts';

export type Role = 'admin' | 'manager' | 'agent' | 'viewer';
export { expect };

type WorkerFixtures = { product: Product; productOptions: ProductOptions; windows: Windows };
/** Opens a page in a window of its own, signed in with this role. */
type OpenAs = (role: Role, wish?: Partial<Wish>) => Promise<Page>;
type TestFixtures = {
  openAs: OpenAs;
  /** A journey that fails shows what the product wrote meanwhile. */
  productOutput: void;
  /** Messages of the browser's console that a page may cause on purpose, for instance a refused sign-in. */
  allowedConsole: RegExp[];
  /** For journeys about a first visit or a sign-in: nothing of the app is in the browser, and nobody's session goes on. */
  isFirstVisit: boolean;
};

/** What is loaded ahead is looked at by journeys about it: the first visits, and those that ask for it. */
const USUAL: Wish = { width: 1280, theme: 'light', locale: 'en-US', savesData: true };
/** `npm run faults -- journeys` plays each journey with each of its parts. */
const isWhole = process.env['E2E_JOURNEYS'] === 'whole';
const SCREENS = [
  { width: 1280, height: 860 },
  { width: 360, height: 780 },
];
/** The configuration blocks service workers; journeys about them allow them. */
const BLOCKED_ON_PURPOSE = 'Service Worker registration blocked by Playwright';
/** A browser asks for it where a page names no icon, as where windows wait for the next journey; pages of the app name theirs. */
const ICON_OF_NONE = '/favicon.ico';

/** One product for the files of a worker; each test brings pages of its own and leaves no message in any console. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  productOptions: [{}, { scope: 'worker', option: true }],
  product: [
    async ({ productOptions }, use) => {
      const product = await startProduct(productOptions);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  windows: [async ({ browser, product }, use) => use(keepWindows(browser, product)), { scope: 'worker' }],
  productOutput: [
    async ({ product }, use, info) => {
      const before = product.readOutput().length;
      await use();
      if (info.status !== info.expectedStatus)
        await info.attach('product', {
          body: product.readOutput().slice(before),
          contentType: 'text/plain',
        });
    },
    { auto: true },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  allowedConsole: [[], { option: true }],
  isFirstVisit: [false, { option: true }],
  /** A stranger's. */
  page: async ({ windows, locale, allowedConsole }, use, info) => {
    const context = await windows.take({ ...USUAL, ...(locale && { locale }) });
    const page = await openPage(context);
    const complaints = watchConsole(page, allowedConsole);
    await use(page);
    await (info.status === info.expectedStatus ? windows.giveBack(context) : context.close());
    expect(complaints, 'messages in the console').toEqual([]);
  },
  openAs: async ({ browser, product, windows, allowedConsole, isFirstVisit }, use, info) => {
    const opened: BrowserContext[] = [];
    const roles = new Set<Role>();
    const complaints: string[][] = [];
    await use(async (role, wish) => {
      const wanted = { ...USUAL, ...wish };
      const context = isFirstVisit
        ? await browser.newContext(windowOptions(product, wanted))
        : await windows.take(wanted);
      if (isFirstVisit) await context.addInitScript(keepNotifications);
      opened.push(context);
      // Whoever opens a second window of somebody means another device.
      if (isFirstVisit || roles.has(role)) await signIn(context, role);
      else await windows.signIn(context, role);
      roles.add(role);
      const page = await openPage(context);
      complaints.push(watchConsole(page, allowedConsole));
      return page;
    });
    // Closed as a whole, a window that failed leaves a picture.
    const isDone = isFirstVisit || info.status !== info.expectedStatus;
    for (const context of opened) await (isDone ? context.close() : windows.giveBack(context));
    expect(complaints.flat(), 'messages in the console').toEqual([]);
  },
});

async function openPage(context: BrowserContext): Promise<Page> {
  return context.pages()[0] ?? context.newPage();
}

function watchConsole(page: Page, allowed: readonly RegExp[]): string[] {
  const complaints: string[] = [];
  const note = (text: string, address = '') => {
    if (text.includes(BLOCKED_ON_PURPOSE) || address.endsWith(ICON_OF_NONE)) return;
    const complaint = `${text} ${address}`.trimEnd();
    if (!allowed.some((pattern) => pattern.test(complaint))) complaints.push(complaint);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      note(`${message.type()}: ${message.text()}`, message.location().url);
  });
  page.on('pageerror', (error) => note(`uncaught: ${error.message}`));
  return complaints;
}

/**
 * Of journeys that show one thing once more (in another form, on another line, at another width), or that a test of the API or of a
 * building block proves as well: `npm run faults -- journeys` plays them, `npm test` what stands for them.
 */
export const WHOLE = { tag: '@whole' };

/** A part of a journey that is for the whole set alone, as a look at one more state of a page. What follows does not need it. */
export async function inWhole(part: () => Promise<void>): Promise<void> {
  if (isWhole) await part();
}

/** Headers for an act of its own that a journey does without its page. */
export function actKey(): Record<string, string> {
  return { 'idempotency-key': crypto.randomUUID() };
}

/**
 * axe finds nothing on the page as it stands (WCAG 2.2 AA), in light and in dark. With a name a picture of each is kept
 * beside the results of the run.
 */
export async function expectAccessible(page: Page, picture?: string): Promise<void> {
  expect(await findViolations(page, 'all', true), 'axe violations').toEqual([]);
  if (picture) await keepPictures(page, picture);
}

/**
 * On a desk and on a telephone the page is accessible and needs no sideways scrolling. On the telephone `npm test` asks for what a width
 * changes; the whole set asks for all rules there too, in light and in dark.
 */
export async function expectFitsEverywhere(page: Page, picture: string): Promise<void> {
  await onEachScreen(page, async (width) => {
    const isAll = isWhole || width > 1000;
    expect(await findViolations(page, isAll ? 'all' : 'of width', isAll), 'axe violations').toEqual([]);
    await keepPictures(page, `${picture}-${width}`);
  });
}

/**
 * Chooses a language for the account, as on another device, and opens a page in it: this browser learns the language from the session, and its
 * next page speaks it.
 */
export async function openIn(page: Page, language: string, path: string): Promise<void> {
  const chosen = await page.request.put('/api/profile/language', { headers: actKey(), data: { language } });
  expect(chosen.ok()).toBe(true);
  await page.goto(path);
  const readLanguage = async () =>
    (await page.context().cookies()).find(({ name }) => name === 'language')?.value;
  await expect.poll(readLanguage).toBe(language);
  await page.reload();
}

/** As `expectFitsEverywhere`, of a page that was looked at in another language: what its words change. */
export async function expectWordsFit(page: Page, picture: string): Promise<void> {
  await onEachScreen(page, async (width) => {
    expect(await findViolations(page, 'of words'), 'axe violations').toEqual([]);
    await keepPicture(page, `${picture}-${width}`);
  });
}

async function onEachScreen(page: Page, look: (width: number) => Promise<void>): Promise<void> {
  const size = page.viewportSize();
  for (const screen of SCREENS) {
    await resize(page, screen);
    await expectNoSidewaysScroll(page);
    await look(screen.width);
  }
  if (size) await resize(page, size);
}

/** A busy browser may lose the frame of a new size, and then draws nothing and takes no press until the size changes again. */
async function resize(page: Page, size: ViewportSize): Promise<void> {
  await page.setViewportSize(size);
  for (let attempt = 0; attempt < 20 && !(await draws(page)); attempt += 1) {
    await page.setViewportSize({ ...size, height: size.height + 1 });
    await page.setViewportSize(size);
  }
}

async function draws(page: Page): Promise<boolean> {
  return page.evaluate(
    (ms) =>
      new Promise<boolean>((resolve) => {
        setTimeout(resolve, ms, false);
        requestAnimationFrame(() => resolve(true));
      }),
    FRAME_WITHIN_MS,
  );
}

const REST_MS = 700;
/** Not one of the waits that `keepNotifications` makes longer. */
const FRAME_WITHIN_MS = 4_000;

/** Counts what a page asks the server for, from now on. */
export function watchCalls(page: Page) {
  let calls: string[] = [];
  let lastAt = Date.now();
  const unanswered = new Set<Request>();
  page.on('request', (request) => {
    const [, procedure] = new URL(request.url()).pathname.split('/api/rpc/');
    if (procedure === undefined) return;
    calls.push(procedure);
    unanswered.add(request);
  });
  const settle = (request: Request) => {
    if (unanswered.delete(request)) lastAt = Date.now();
  };
  page.on('requestfinished', settle);
  page.on('requestfailed', settle);
  const countOf = (procedure: string) => calls.filter((called) => called === procedure).length;
  return {
    /** Until the page has asked for this: pages read ahead some time after their opening. */
    seen: (procedure: string) =>
      expect.poll(() => countOf(procedure), { message: procedure }).toBeGreaterThan(0),
    /** How often each of these procedures was asked for until the page had come to rest after the act. */
    async during<Name extends string>(
      procedures: readonly Name[],
      act: () => Promise<void>,
    ): Promise<Record<Name, number>> {
      calls = [];
      await act();
      lastAt = Date.now();
      await expect
        .poll(() => (unanswered.size > 0 ? 0 : Date.now() - lastAt), { message: 'milliseconds of rest' })
        .toBeGreaterThan(REST_MS);
      return Object.fromEntries(procedures.map((name) => [name, countOf(name)])) as Record<Name, number>;
    },
  };
}

/** Nothing sticks out to the right: the page needs no sideways scrolling. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const measure = () =>
    page.evaluate(() =>
      // The dashboard scrolls inside its main part, which hides what sticks out from the document.
      Math.max(
        ...[document.documentElement, ...document.querySelectorAll('main')].map(
          (element) => element.scrollWidth - element.clientWidth,
        ),
      ),
    );
  // A screen that has just changed its size is drawn anew.
  await expect.poll(measure, { message: 'pixels that stick out' }).toBeLessThanOrEqual(0);
}

/** Keeps a picture of a state beside the results of the run; a run of all journeys keeps none unless it is asked to. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (hasPictures()) await page.screenshot({ path: `test-results/pictures/${name}.png` });
}

/** One in each theme, as whoever changes the theme of the device sees it. */
async function keepPictures(page: Page, name: string): Promise<void> {
  if (!hasPictures()) return;
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  for (const colorScheme of [other, own]) {
    await page.emulateMedia({ colorScheme });
    await keepPicture(page, `${name}-${colorScheme}`);
  }
}

function hasPictures(): boolean {
  return process.env['E2E_PICTURES'] !== '0';
}

export async function callSandbox<Answer>(product: Product, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${product.sandboxUrl}${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  return (await response.json()) as Answer; // the caller names what the control answers
}
