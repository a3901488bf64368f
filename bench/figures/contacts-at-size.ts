import type { Page } from '@playwright/test';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { addPeople, openBenchProduct, waitUntilQuiet, type BenchProduct } from '../harness/bench-product.ts';
import { median, show } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

/** The contacts page over many rows, as a person in a browser meets it; deep pages against OFFSET paging. */
export const contactsAtSize: Bench = {
  title: 'Contacts at size',
  async run({ rounds, large }) {
    const product = await openBenchProduct();
    try {
      console.log(`  adding ${large.toLocaleString('en')} contacts`);
      await addPeople(product, large);
      const opened = await repeat(inSmall(1, rounds * 4), () => measureOpening(product));
      const keys = (await repeat(rounds, () => measureKeys(product))).flat();
      const paging = await measurePaging(product, large, inSmall(1, rounds * 20));
      return describe(large, opened, keys, paging);
    } finally {
      await product.close();
    }
  },
};

const WORDS = inSmall(['zoe'], ['silva', 'zoe', 'kaplan', '555', 'ada n', 'qq']);

/** How long a pointer rests on a link before its button goes down; the app begins to load then. */
const HOVER_MS = 150;

/** Milliseconds from the click on Contacts, right after the dashboard is there, until its first row is painted. */
async function measureOpening(product: BenchProduct): Promise<number> {
  const page = await product.openPage();
  await page.goto('/dashboard');
  await page.getByText('Message Analytics').first().waitFor();
  await waitUntilQuiet(page);
  const painted = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        addEventListener(
          'click',
          ({ timeStamp }) => {
            const look = (): void => {
              const isThere = /@example\.com/.test(document.querySelector('main')?.textContent ?? '');
              // The frame after the one that drew it: by then it is on the screen.
              requestAnimationFrame(isThere ? () => resolve(performance.now() - timeStamp) : look);
            };
            look();
          },
          { once: true, capture: true },
        );
      }),
  );
  const link = page.getByRole('navigation').getByRole('link', { name: /^Contacts/ });
  await link.hover();
  await page.waitForTimeout(HOVER_MS);
  await page.mouse.down();
  await page.mouse.up();
  const milliseconds = await painted;
  await page.context().close();
  return milliseconds;
}

/** Milliseconds from each key in the search field until the rows that belong to it are painted. */
async function measureKeys(product: BenchProduct): Promise<number[]> {
  const page = await product.openPage();
  await page.addInitScript(noteSearches);
  await page.goto('/dashboard/contacts');
  await page
    .getByText(/@example\.com/)
    .first()
    .waitFor();
  await waitUntilQuiet(page);
  const figures: number[] = [];
  for (const word of WORDS) {
    await page.getByRole('searchbox').first().click();
    for (let length = 1; length <= word.length; length += 1) {
      if (word[length - 1] === ' ') {
        await page.keyboard.press('Space');
        continue;
      }
      const figure = await measureKey(page, word[length - 1] ?? '', word.slice(0, length));
      console.log(`  ${word.slice(0, length)}: ${show(figure)} ms`);
      figures.push(figure);
      await page.waitForTimeout(150);
    }
    await page.getByRole('searchbox').first().fill('');
    await page.waitForTimeout(400);
  }
  await page.context().close();
  return figures;
}

async function measureKey(page: Page, key: string, search: string): Promise<number> {
  const painted = page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        let pressedAt = 0;
        addEventListener('keydown', (event) => (pressedAt = event.timeStamp), { once: true, capture: true });
        addEventListener('contacts-read', function heard(event) {
          if ((event as CustomEvent<string>).detail !== wanted) return;
          removeEventListener('contacts-read', heard);
          // React draws in the task after the answer, the screen shows it one frame later.
          setTimeout(() =>
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - pressedAt))),
          );
        });
      }),
    search,
  );
  await page.waitForTimeout(20);
  await page.keyboard.press(key);
  return painted;
}

/** Runs inside the page: tells when the answer of a search has been read. */
function noteSearches(): void {
  const send = window.fetch;
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    const isList = request.url.endsWith('/contacts/list');
    const body = isList ? await request.clone().text() : '';
    const response = await send(request);
    if (isList) {
      const search: unknown = JSON.parse(body).json?.search;
      void response
        .clone()
        .text()
        .then(() => dispatchEvent(new CustomEvent('contacts-read', { detail: search })));
    }
    return response;
  };
}

type Paging = { first: number[]; deep: number[]; offsetFirst: number[]; offsetDeep: number[] };

async function measurePaging(product: BenchProduct, large: number, times: number): Promise<Paging> {
  const pool = product.database.database.systemPool;
  const depth = Math.floor(large * 0.9);
  const { rows } = await pool.query(
    `SELECT created_at::text AS place, id FROM contacts WHERE workspace_id = $1
      ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT 1`,
    [product.workspaceId, depth],
  );
  const cursor = Buffer.from(JSON.stringify([rows[0].place, rows[0].id])).toString('base64url');
  const read = (query: string) =>
    timed(async () => (await product.get(`/api/contacts?limit=100${query}`)).text());
  const offset = (rowsBefore: number) =>
    timed(() =>
      pool.query(
        `SELECT id, name, phone, email, tags, status, created_at, updated_at, version FROM contacts
          WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT 101 OFFSET $2`,
        [product.workspaceId, rowsBefore],
      ),
    );
  const paging: Paging = { first: [], deep: [], offsetFirst: [], offsetDeep: [] };
  for (let time = 0; time < times + 2; time += 1) {
    const figures = [await read(''), await read(`&cursor=${cursor}`), await offset(0), await offset(depth)];
    if (time < 2) continue; // warm-up
    paging.first.push(figures[0] ?? 0);
    paging.deep.push(figures[1] ?? 0);
    paging.offsetFirst.push(figures[2] ?? 0);
    paging.offsetDeep.push(figures[3] ?? 0);
  }
  return paging;
}

function describe(large: number, opened: number[], keys: number[], paging: Paging): BenchRow[] {
  const at = `at ${large.toLocaleString('en')} contacts`;
  const ratio = median(paging.deep) / median(paging.first);
  const offsetRatio = median(paging.offsetDeep) / median(paging.offsetFirst);
  return [
    {
      figure: `click → first row painted, ${at} (${opened.length} first visits, pointer on the link ${HOVER_MS} ms before)`,
      measured: `p95 ${show(percentile(opened, 95))} ms, median ${show(median(opened))}`,
      peer: '',
      goal: '≤ 200 ms p95',
      isMet: percentile(opened, 95) <= 200,
    },
    {
      figure: `key → filtered rows painted, ${at} (${keys.length} keys)`,
      measured: `p95 ${show(percentile(keys, 95))} ms, median ${show(median(keys))}, most ${show(Math.max(...keys))}`,
      peer: '',
      goal: '≤ 120 ms p95',
      isMet: percentile(keys, 95) <= 120,
    },
    {
      figure: `page after 90 % of the rows ÷ first page, over HTTP`,
      measured: `${show(median(paging.deep))} ms ÷ ${show(median(paging.first))} ms`,
      peer: `OFFSET in SQL: ${show(median(paging.offsetDeep))} ms ÷ ${show(median(paging.offsetFirst))} ms = ${show(offsetRatio)}`,
      ratio,
      goal: '≤ 1.2',
      isMet: ratio <= 1.2,
    },
  ];
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}

async function repeat<Value>(times: number, act: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let time = 0; time < times; time += 1) values.push(await act());
  return values;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return performance.now() - from;
}
