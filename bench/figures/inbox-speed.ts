import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { addPeople, openBenchProduct, waitUntilQuiet, type BenchProduct } from '../harness/bench-product.ts';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { openListeners, type Listeners } from '../harness/live-listeners.ts';
import { startBenchChild } from '../harness/processes.ts';
import { show } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

const SECRET = 'sandbox-app-secret';
const WRITERS = inSmall(3, 20);
const WORDS = inSmall(3, 60);
const PAUSE_MS = 250;
const BURST = inSmall(3, 30);
const BURSTS = inSmall(1, 3);
const LISTENERS = inSmall(4, 1_000);
const AWAY = inSmall(2, 100);
const STATUSES_PER_SECOND = inSmall(20, 3_300);
const RECIPIENTS = inSmall(100, 4_000);
const GOAL_MS = 150;

/** From the webhook with a customer's words to the frame of a colleague's browser in which they stand; what many browsers hear, and miss. */
export const inboxSpeed: Bench = {
  title: 'Speed of the inbox',
  async run() {
    const product = await openBenchProduct();
    try {
      await addPeople(product, RECIPIENTS);
      for (let writer = 0; writer < WRITERS; writer += 1) await say(product, writer, `Hello from ${writer}`);
      const page = await product.openPage();
      await page.goto('/dashboard/inbox');
      await page
        .getByText(`Hello from ${WRITERS - 1}`)
        .first()
        .waitFor();
      await waitUntilQuiet(page);
      await page.evaluate(notePaintedWords);
      // Server and page have met each of their steps before it counts.
      await measure(product, page);
      const rows = [describe('with nothing beside', await measure(product, page))];
      rows.push(await measureBurst(product, page));
      const stop = await startStatuses(product);
      rows.push(
        describe(`while ${STATUSES_PER_SECOND} statuses a second are sent`, await measure(product, page)),
      );
      rows.push({ ...stop(), goal: '', isMet: true, peer: '' });
      await page.context().close();
      const listeners = await openListeners(product, LISTENERS);
      try {
        rows.push(...(await hearEverywhere(product, listeners)));
      } finally {
        listeners.close();
      }
      return rows;
    } finally {
      await product.close();
    }
  },
};

declare global {
  interface Window {
    /** When each word stood in a frame, by the clock of the machine. */
    paintedWords: Record<string, number>;
  }
}

/** Runs in the page. */
function notePaintedWords(): void {
  window.paintedWords = {};
  const look = () => {
    for (const [word] of document.body.textContent.matchAll(/word-\d+-\d+\./g))
      if (!(word in window.paintedWords)) {
        window.paintedWords[word] = Infinity;
        // The frame after the one in which it stands for the first time.
        requestAnimationFrame(() => setTimeout(() => (window.paintedWords[word] = Date.now())));
      }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}

let run = 0;

async function measure(product: BenchProduct, page: Page): Promise<number[]> {
  run += 1;
  const saidAt = new Map<string, number>();
  for (let index = 0; index < WORDS; index += 1) {
    // Its end is its own: the figure of what is unread stands right behind it.
    const word = `word-${run}-${index}.`;
    saidAt.set(word, Date.now());
    await say(product, index % WRITERS, word);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await page.waitForTimeout(3_000);
  const painted = await page.evaluate(() => window.paintedWords);
  return [...saidAt].map(([word, at]) => (painted[word] ?? Infinity) - at);
}

/** Messages of one customer, as fast as the product takes them, in a chat that is open. */
async function measureBurst(product: BenchProduct, page: Page): Promise<BenchRow> {
  // The list draws the rows in sight: the last to write stands at its top.
  await say(product, 0, 'Before the bursts');
  await page.getByRole('link', { name: /Before the bursts/ }).click();
  // Its messages come after its frame.
  await page.getByRole('log').waitFor();
  const latencies: number[] = [];
  for (let round = 0; round < BURSTS; round += 1) {
    // A chat that has just been opened, or read to the end.
    await page.waitForTimeout(3_000);
    await page.evaluate(noteRowsOfChat);
    run += 1;
    const saidAt = new Map<string, number>();
    for (let index = 0; index < BURST; index += 1) {
      const word = `word-${run}-${index}.`;
      saidAt.set(word, Date.now());
      await say(product, 0, word);
    }
    await page.waitForTimeout(3_000);
    const painted = await page.evaluate(() => window.paintedWords);
    latencies.push(...[...saidAt].map(([word, at]) => (painted[word] ?? Infinity) - at));
  }
  const row = describe(`of a burst of ${BURST} messages`, latencies);
  return { ...row, figure: `words of a customer painted in the open chat, of a burst of ${BURST} messages` };
}

/** Runs in the page: words count once they stand in the chat, wherever else they stood before. */
function noteRowsOfChat(): void {
  const painted: Record<string, number> = {};
  window.paintedWords = painted;
  const chat = document.querySelector('[role="log"]');
  if (!chat) throw new Error('No chat is open.');
  const look = () => {
    for (const [word] of chat.textContent.matchAll(/word-\d+-\d+\./g))
      if (!(word in painted)) {
        painted[word] = Infinity;
        requestAnimationFrame(() => setTimeout(() => (painted[word] = Date.now())));
      }
  };
  new MutationObserver(look).observe(chat, { childList: true, subtree: true, characterData: true });
}

function describe(when: string, latencies: readonly number[]): BenchRow {
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
  console.log(`  ${when}: p50 ${show(at(0.5))}, p95 ${show(at(0.95))}, worst ${show(at(1))} ms`);
  return {
    figure: `words of a customer painted in another agent's list, ${when}`,
    measured: `p50 ${show(at(0.5))} ms, p95 ${show(at(0.95))} ms, worst ${show(at(1))} ms of ${sorted.length}`,
    peer: '',
    goal: `p95 ≤ ${GOAL_MS} ms`,
    isMet: at(0.95) <= GOAL_MS,
  };
}

async function hearEverywhere(product: BenchProduct, listeners: Listeners): Promise<BenchRow[]> {
  const latencies: number[] = [];
  for (let index = 0; index < WORDS; index += 1) {
    const heard = listeners.nextMessage(Date.now());
    await say(product, index % WRITERS, `to all ${index}`);
    latencies.push(...(await heard));
  }
  const sorted = latencies.toSorted((one, other) => one - other);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Infinity;
  const [before, begunAt] = [listeners.events(), Date.now()];
  await Promise.all(
    Array.from({ length: 200 }, (_, index) => say(product, index % WRITERS, `burst ${index}`)),
  );
  await listeners.untilQuiet();
  const perSecond = ((listeners.events() - before) / (listeners.lastAt() - begunAt)) * 1_000;
  await listeners.leave(AWAY);
  for (let index = 0; index < 50; index += 1) await say(product, index % WRITERS, `meanwhile ${index}`);
  await listeners.comeBack();
  await listeners.untilQuiet();
  const { missed, doubled } = listeners.compare();
  return [
    {
      figure: `an event heard by ${LISTENERS} browsers`,
      measured: `p95 ${show(p95)} ms from the webhook, ${show(perSecond)} events/s in a burst`,
      peer: '',
      goal: '',
      isMet: true,
    },
    {
      figure: `events missed or heard twice by ${AWAY} browsers that were away`,
      measured: `${missed} missed, ${doubled} doubled`,
      peer: '',
      goal: '0',
      isMet: missed + doubled === 0,
    },
  ];
}

/** The status webhooks of a campaign at a steady rate; the answer ends them and says how many were answered. */
async function startStatuses({ url, database, workspaceId }: BenchProduct) {
  const { rows } = await database.database.systemPool.query<{ run_no: string }>(
    'SELECT max(run_no) AS run_no FROM delivery_runs WHERE workspace_id = $1',
    [workspaceId],
  );
  const count = STATUSES_PER_SECOND * 60;
  const caller = startBenchChild('bench/contestants/webhook-caller.ts', [
    ...[`${url}/webhooks/whatsapp/sample`, SECRET, String(rows[0]?.run_no ?? 0)],
    ...[String(RECIPIENTS), String(count), String(STATUSES_PER_SECOND)],
  ]);
  await caller.message('ready');
  caller.process.send('go');
  return () => {
    caller.process.kill('SIGKILL');
    return { figure: 'status webhooks beside it', measured: `${STATUSES_PER_SECOND}/s offered` };
  };
}

let said = 0;

async function say({ url }: BenchProduct, writer: number, text: string): Promise<void> {
  said += 1;
  const from = `4479110${20_000 + writer}`;
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '447700900100', phone_number_id: '200000000000001' },
    contacts: [{ profile: { name: `Writer ${writer}` }, wa_id: from }],
    messages: [
      {
        ...{ from, id: `wamid.bench${Date.now()}.${said}`, type: 'text', text: { body: text } },
        timestamp: String(Math.floor(Date.now() / 1000)),
      },
    ],
  };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '100000000000001', changes: [{ field: 'messages', value }] }],
  });
  const answer = await fetch(`${url}/webhooks/whatsapp/sample`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    },
    body,
  });
  if (!answer.ok) throw new Error(`The webhook was refused: ${answer.status} ${await answer.text()}`);
}
