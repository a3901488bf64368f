import type { Page } from '@playwright/test';
import { inSmall } from '../../tools/small-run.ts';

const SCROLLING_MS = inSmall(300, 8_000);
const LONG_MS = 50;

export type Scrolled = {
  /** Milliseconds of each long animation frame by the clock: others on the machine lengthen them. */
  frames: number[];
  /** Milliseconds of processor time of each long task of the page: its own. */
  tasks: number[];
  longestTask: number;
  /** What those tasks spent it with, the most first. */
  spent: string;
  pixels: number;
  requests: number;
  mostRows: number;
  elements: number;
  heapMb: number;
};

/** Does something again and again for 8 s, such as turning a wheel, and tells what it cost the page; `rows` are counted, `scroller` is what moves. */
export async function scroll(
  page: Page,
  { rows, scroller, step }: { rows: string; scroller: string; step: () => Promise<void> },
): Promise<Scrolled> {
  const browser = page.context().browser()!; // it is not a persistent one
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.evaluate(noteLongFrames);
  await page.evaluate(noteDistance, scroller);
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'],
  });
  let mostRows = 0;
  const until = performance.now() + SCROLLING_MS;
  for (let steps = 0; performance.now() < until; steps += 1) {
    await step();
    await page.waitForTimeout(16);
    if (steps % 60 === 0) mostRows = Math.max(mostRows, await page.locator(rows).count());
  }
  const { tasks, longestTask, spent } = readTrace(await browser.stopTracing());
  const { frames, pixels } = await page.evaluate(() => ({
    frames: window.longFramesSeen,
    pixels: window.distance,
  }));
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  await session.detach();
  return {
    frames,
    tasks,
    longestTask,
    spent,
    pixels,
    requests: requests.length,
    mostRows,
    elements,
    heapMb: usedSize / 1e6,
  };
}

declare global {
  interface Window {
    longFramesSeen: number[];
    distance: number;
  }
}

/** Runs in the page. */
function noteLongFrames(): void {
  if (window.longFramesSeen !== undefined) {
    window.longFramesSeen.length = 0;
    return;
  }
  window.longFramesSeen = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (duration > 50) window.longFramesSeen.push(duration);
  }).observe({ type: 'long-animation-frame' });
}

/** Runs in the page: how far the wheel moved it, whatever was put before it meanwhile. */
function noteDistance(selector: string): void {
  window.distance = 0;
  const view = document.querySelector(selector);
  let [top, height] = [view?.scrollTop ?? 0, view?.scrollHeight ?? 0];
  view?.addEventListener('scroll', () => {
    if (view.scrollHeight === height) window.distance += Math.abs(view.scrollTop - top);
    [top, height] = [view.scrollTop, view.scrollHeight];
  });
}

type TraceEvent = {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
};

function readTrace(trace: Buffer): Pick<Scrolled, 'tasks' | 'longestTask' | 'spent'> {
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString());
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const mine = traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid} ${tid}`));
  const all = mine.filter(({ name }) => name === 'RunTask').toSorted((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0));
  // What the longest ones did is told of them, and of the ten longest where none is long.
  const long = all.filter(({ tdur = 0 }, place) => tdur > LONG_MS * 1_000 || place < 10);
  const spent = new Map<string, number>();
  for (const { pid, tid, ts, dur = 0 } of long)
    for (const part of mine)
      if (
        part.pid === pid &&
        part.tid === tid &&
        part.ts >= ts &&
        part.ts + (part.dur ?? 0) <= ts + dur &&
        !part.name.endsWith('RunTask')
      )
        spent.set(part.name, (spent.get(part.name) ?? 0) + (part.tdur ?? 0) / 1_000);
  return {
    tasks: all.map(({ tdur = 0 }) => tdur / 1_000).filter((ms) => ms > LONG_MS),
    longestTask: (all[0]?.tdur ?? 0) / 1_000,
    spent: [...spent]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 8)
      .map(([name, ms]) => `${name} ${Math.round(ms)}`)
      .join(', '),
  };
}
