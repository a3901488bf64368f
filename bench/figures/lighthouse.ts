import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { type BenchProduct, CHROMIUM_FLAGS, openBenchProduct } from '../harness/bench-product.ts';
import { ensureChromium } from '../../tools/chromium.ts';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { installPeers } from '../harness/peers.ts';
import { peersFolder } from '../harness/processes.ts';
import { median } from '../harness/rounds.ts';

const GOAL = 98;
const PAGES = [
  { path: '/', isSignedIn: false },
  { path: '/login', isSignedIn: false },
  { path: '/dashboard', isSignedIn: true },
  { path: '/dashboard/contacts', isSignedIn: true },
] as const;
const FORMS = ['mobile', 'desktop'] as const;
/** Search engines have no business behind the sign-in. */
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const VISIT = {
  onlyCategories: CATEGORIES,
  // The sign-in is a cookie.
  disableStorageReset: true,
  // The event stream stays open: a page behind the sign-in is never done loading.
  maxWaitForLoad: 12_000,
  logLevel: 'error',
};

type Lighthouse = (
  url: string,
  flags: object,
  config?: unknown,
) => Promise<{ lhr: { categories: Record<string, { score: number | null }> } } | undefined>;

/** Google's own marks for a page: `mobile` is a slow telephone on a slow line, both simulated. */
export const lighthouse: Bench = {
  title: 'Lighthouse',
  async run({ rounds }) {
    installPeers();
    const { run, desktop, launch } = await loadLighthouse();
    const product = await openBenchProduct();
    const chromePath = await ensureChromium();
    // A browser of its own: one that another tool drives gives no trace.
    const browser = await launch({
      chromeFlags: ['--headless=new', ...CHROMIUM_FLAGS],
      logLevel: 'error',
      chromePath,
    });
    try {
      const rows: BenchRow[] = [];
      for (const page of PAGES)
        for (const form of FORMS) {
          const marks: Record<string, number[]> = {};
          for (let round = 0; round < rounds; round += 1) {
            await setSignedIn(browser.port, product, page.isSignedIn);
            const flags = { port: browser.port, ...VISIT };
            const result = await run(
              `${product.url}${page.path}`,
              flags,
              form === 'desktop' ? desktop : undefined,
            );
            for (const [name, { score }] of Object.entries(result?.lhr.categories ?? {}))
              (marks[name] ??= []).push(Math.round((score ?? 0) * 100));
          }
          rows.push(describeMarks(`${page.path}, ${form}`, marks));
        }
      return rows;
    } finally {
      browser.kill();
      await product.close();
    }
  },
};

type Launch = (options: object) => Promise<{ port: number; kill(): void }>;

async function loadLighthouse(): Promise<{ run: Lighthouse; desktop: unknown; launch: Launch }> {
  const load = async (file: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(join(peersFolder, 'node_modules', file)).href);
  return {
    run: (await load('lighthouse/core/index.js'))['default'] as Lighthouse,
    desktop: (await load('lighthouse/core/config/desktop-config.js'))['default'],
    launch: (await load('chrome-launcher/dist/index.js'))['launch'] as Launch,
  };
}

async function setSignedIn(port: number, product: BenchProduct, isSignedIn: boolean): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = browser.contexts();
  await context?.clearCookies();
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(product.cookie) ?? [];
  if (isSignedIn) await context?.addCookies([{ name, value, url: product.url }]);
  await browser.close();
}

function describeMarks(what: string, marks: Record<string, number[]>): BenchRow {
  const figures = CATEGORIES.map((name) => ({ name, mark: median(marks[name] ?? [0]) }));
  return {
    figure: what,
    measured: figures.map(({ name, mark }) => `${name} ${mark}`).join(', '),
    peer: '',
    goal: `each ≥ ${GOAL}`,
    isMet: figures.every(({ mark }) => mark >= GOAL),
  };
}
