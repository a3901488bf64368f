import type { Page } from '@playwright/test';
import { type BenchProduct, openBenchProduct, waitUntilQuiet } from '../harness/bench-product.ts';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { fillInbox } from '../harness/inbox/fill-inbox.ts';
import { findLongest } from '../harness/inbox/inbox-questions.ts';
import { median, show } from '../harness/rounds.ts';
import { scroll, type Scrolled } from '../harness/scrolling.ts';

/** How the longest chat and the list scroll in a browser, for 8 s each: `--full` in a year with 10,000,000 messages. */
export const inboxScrolling: Bench = {
  title: 'Scrolling the inbox',
  async run({ rounds, size, home }) {
    const product = await openBenchProduct(home === undefined ? {} : { home });
    try {
      if (product.database.isNew) await product.withoutServer(() => fillInbox(product, size));
      const chat = await repeat(rounds, () => scrollChat(product));
      const [wheel, keys] = [
        await scrollList(product, rounds, 'wheel'),
        await scrollList(product, rounds, 'keys'),
      ];
      return [
        ...describe('the longest chat by the wheel', chat),
        ...describe('the list by the wheel', wheel),
        ...describe('the list by the arrows', keys),
      ];
    } finally {
      await product.close();
    }
  },
};

async function scrollChat(product: BenchProduct): Promise<Scrolled> {
  const { id } = await findLongest(product);
  const page = await product.openPage();
  await page.goto(`/dashboard/inbox/${id}`);
  await page.locator('[data-message]').first().waitFor();
  await waitUntilQuiet(page);
  await page.mouse.move(900, 450);
  const scrolled = await scroll(page, {
    ...{ rows: '[data-item]', scroller: '[role="log"]' },
    step: () => page.mouse.wheel(0, -700),
  });
  await page.context().close();
  return say('chat', scrolled);
}

/** All rounds in one page: what it keeps grows with each. */
async function scrollList(product: BenchProduct, rounds: number, by: 'wheel' | 'keys'): Promise<Scrolled[]> {
  const page = await product.openPage();
  await page.goto('/dashboard/inbox');
  await page.locator('[data-conversation]').first().waitFor();
  await waitUntilQuiet(page);
  await page.mouse.move(400, 500);
  if (by === 'keys') await page.locator('[data-conversation]').first().focus();
  const scroller = await findScroller(page);
  const scrolled = await repeat(rounds, async () =>
    say(
      `list by ${by}`,
      await scroll(page, {
        ...{ rows: '[data-conversation]', scroller },
        step: () => (by === 'wheel' ? page.mouse.wheel(0, 700) : page.keyboard.press('ArrowDown')),
      }),
    ),
  );
  await page.context().close();
  return scrolled;
}

/** What scrolls the rows has no name of its own. */
async function findScroller(page: Page): Promise<string> {
  await page.evaluate(() =>
    document
      .querySelector('[data-conversation]')
      ?.closest('ul')
      ?.parentElement?.setAttribute('data-scroller', ''),
  );
  return '[data-scroller]';
}

function say(what: string, scrolled: Scrolled): Scrolled {
  const { frames, tasks, spent, ...rest } = scrolled;
  const list = (values: number[]) =>
    `${values.length} (${values.map((value) => Math.round(value)).join(' ')})`;
  console.log(`  ${what}: frames ${list(frames)}, tasks ${list(tasks)}, ${JSON.stringify(rest)}; ${spent}`);
  return scrolled;
}

function describe(what: string, scrolled: readonly Scrolled[]): BenchRow[] {
  const of = (figure: (one: Scrolled) => number) => scrolled.map(figure);
  const range = (values: number[]) =>
    `${show(median(values))} (${show(Math.min(...values))}–${show(Math.max(...values))})`;
  const tasks = median(of((one) => one.tasks.length));
  return [
    {
      figure: `${what}: tasks of the page above 50 ms of processor time in 8 s`,
      measured: `${range(of((one) => one.tasks.length))}, longest ${show(Math.max(...of((one) => one.longestTask)))} ms`,
      ...{ peer: '', goal: 'none', isMet: tasks === 0 },
    },
    {
      figure: `${what}: frames above 50 ms by the clock`,
      measured: `${range(of((one) => one.frames.length))}, longest ${show(Math.max(0, ...scrolled.flatMap((one) => one.frames)))} ms`,
      ...{ peer: '', goal: 'none on a quiet machine', isMet: median(of((one) => one.frames.length)) === 0 },
    },
    {
      figure: `${what}: what the page keeps and asks for`,
      measured: `${range(of((one) => one.requests))} requests, ${show(Math.max(...of((one) => one.mostRows)))} rows at most, ${range(of((one) => one.elements))} elements, heap ${of(
        (one) => one.heapMb,
      )
        .map(show)
        .join(' → ')} MB; ${range(of((one) => one.pixels))} px`,
      ...{ peer: '', goal: '', isMet: true },
    },
  ];
}

async function repeat<Value>(times: number, act: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let time = 0; time < times; time += 1) values.push(await act());
  return values;
}
