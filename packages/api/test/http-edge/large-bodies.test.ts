import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Hono, type Context } from 'hono';
import { defaultRolePermissions } from '@app/domain/auth/permissions';
import { createBodyRules, SMALL_BODY } from '../../src/platform/http-edge/body-rules.ts';
import { limitBodies, refuseBody } from '../../src/platform/http-edge/limit-bodies.ts';
import { BodyTooSlow, openBody } from '../../src/platform/http-edge/read-body.ts';
import { createTurns, QueueTooLong } from '../../src/platform/http-edge/turns.ts';
import type { Session } from '../../src/platform/request-context.ts';
import { createCaller, openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';
import { passUntil, startLineClock, waitOnLine } from './line-clock.ts';

const AUDIENCE_SIZE = '/api/campaigns/audience-size';
const JSON_BODY = { 'content-type': 'application/json' };

let api: ApiFixture;
let viewer: ApiCaller;
let admin: ApiCaller;
beforeAll(async () => {
  api = await openApiFixture();
  [viewer, admin] = await Promise.all([api.as('viewer'), api.as('admin')]);
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => api.close());

/** A body that goes over what is read at once and then stands still until it is let go. */
function stuckBody() {
  const end = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new Uint8Array(SMALL_BODY + 1).fill(0x20));
      await end.promise;
      controller.error(new Error('gone'));
    },
  });
  return { body, letGo: () => end.resolve() };
}

function sendStuck(caller: ApiCaller, path: string, count: number, headers: Record<string, string> = {}) {
  const bodies = Array.from({ length: count }, stuckBody);
  const answers = bodies.map(({ body }) =>
    caller.request(path, {
      method: 'POST',
      body,
      headers: { ...JSON_BODY, ...headers },
      duplex: 'half',
    } as RequestInit),
  );
  return {
    answers,
    async letGo() {
      for (const body of bodies) body.letGo();
      await Promise.all(answers);
    },
  };
}

type Sender = (body: ReadableStream | string, declared?: number) => Promise<Response>;

/** The HTTP edge alone, before a handler that answers at once: what passes on its lines waits for no database. */
function openEdge(): (person: string) => Sender {
  const app = new Hono();
  const readSession = async (c: Context) => sessionOf(c.req.header('x-person') ?? '');
  app.onError((error) => refuseBody(error) ?? new Response(null, { status: 500 }));
  app.use('/api/*', limitBodies(createBodyRules([]), readSession));
  app.post(AUDIENCE_SIZE, (c) => c.json({ count: 0 }));
  return (person) => async (body, declared) => {
    const length = declared === undefined ? {} : { 'content-length': String(declared) };
    const headers = { ...JSON_BODY, ...length, 'x-person': person };
    return app.request(AUDIENCE_SIZE, {
      ...{ method: 'POST', body, headers, duplex: 'half' },
    } as RequestInit);
  };
}

const sessionOf = (id: string): Session => ({
  ...{
    id,
    key: null,
    workspaceId: 'acme',
    workspaceSlug: 'acme',
    workspaceName: 'Acme',
    businessName: 'Acme',
    logo: null,
    quietHours: null,
    isSample: false,
    role: 'viewer',
  },
  user: {
    ...{ id, email: `${id}@acme.test`, firstName: id, lastName: 'Acme', avatar: null, timezone: 'UTC' },
    ...{ language: null, preferences: {} },
  },
  ...{ permissions: defaultRolePermissions.viewer, expiresAt: new Date(Date.now() + 3_600_000) },
  ...{ method: 'password', provenAt: null, mustSetUpTwoFactor: false },
});

/** A body without an end that comes at a speed, in kB/s, until it is let go. */
function sendSlowly(sender: Sender, speed: number) {
  let sent = 0;
  let isOver = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = sent === 0 ? SMALL_BODY + 1 : (speed * 1024) / 10;
      if (sent > 0) await waitOnLine(100);
      if (isOver) return controller.error(new Error('gone'));
      controller.enqueue(new Uint8Array(piece).fill(0x20));
      sent += piece;
    },
  });
  const answer = sender(body, 8 * 1024 * 1024 - 10);
  return { answer, bytes: () => sent, letGo: () => (isOver = true) };
}

const largeAudience = JSON.stringify({
  audience: { contactIds: Array.from({ length: 3_000 }, () => crypto.randomUUID()) },
});
const askLarge = (caller: ApiCaller) =>
  caller.request(AUDIENCE_SIZE, { method: 'POST', headers: JSON_BODY, body: largeAudience });

describe('large bodies that do not come on', () => {
  test('of one person leave the others of the workspace their places', async () => {
    const stuck = sendStuck(viewer, AUDIENCE_SIZE, 8);
    try {
      const answers = await Promise.all(Array.from({ length: 6 }, () => askLarge(admin)));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    } finally {
      await stuck.letGo();
    }
  });

  test('of two people on slow lines keep nobody else waiting, however much they say they send', async () => {
    startLineClock();
    const rim = openEdge();
    const slow = ['ann', 'ann', 'ben', 'ben'].map((person) => sendSlowly(rim(person), 80));
    try {
      // All places are taken: a body of middle size waits for none of them, and of the slow ones one gives way to a large one.
      await expect.poll(() => slow.filter(({ bytes }) => bytes() > SMALL_BODY).length).toBe(4);
      expect((await rim('cleo')(largeAudience, largeAudience.length)).status).toBe(200);
      const { answer, ms } = await passUntil(rim('cleo')(largeAudience));
      expect(answer.status).toBe(200);
      expect(ms).toBeLessThan(10_000);
    } finally {
      for (const { letGo } of slow) letGo();
      await passUntil(Promise.all(slow.map(({ answer }) => answer)));
    }
  });

  test('are not waited for when their sender may not do it', async () => {
    const stuck = sendStuck(viewer, '/api/bulk-messages', 2);
    try {
      const answers = await Promise.all(stuck.answers);
      expect(answers.map(({ status }) => status)).toEqual([403, 403]);
      expect(await answers[0]?.json()).toMatchObject({ error: { code: 'FORBIDDEN' } });
    } finally {
      await stuck.letGo();
    }
  });

  test('end by their pace, in seconds', async () => {
    startLineClock();
    const stuck = stuckBody();
    const { answer, ms } = await passUntil(openEdge()('ann')(stuck.body));
    expect(ms).toBeLessThan(12_000);
    expect([answer.status, await answer.json()]).toMatchObject([408, { error: { code: 'body_too_slow' } }]);
    stuck.letGo();
  });
});

test('a body keeps its place while it has its pace, and no longer', async () => {
  startLineClock();
  const pace = { bytesPerSecond: 20_000, patienceMs: 600 };
  const drip = (bytes: number, everyMs: number, pieces: number) => {
    let sent = 0;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent === pieces) return controller.close();
        sent += 1;
        await waitOnLine(everyMs);
        controller.enqueue(new Uint8Array(bytes));
      },
    });
  };
  const open = (body: ReadableStream) =>
    openBody(new Request('http://localhost', { method: 'POST', body, duplex: 'half' } as RequestInit));
  const quick = await passUntil(open(drip(5_000, 100, 20)).readUpTo(1e6, pace));
  expect(quick.answer).toBe(true);
  const slow = open(drip(100, 100, 1_000)).readUpTo(1e6, pace);
  await expect(passUntil(slow)).rejects.toBeInstanceOf(BodyTooSlow);
});

describe('JSON that a parser stands still on', () => {
  const MB = 1024 * 1024;
  const cases: [string, string][] = [
    ['lists in lists', '['.repeat(7.9 * MB)],
    ['records in records', '{"a":'.repeat(1.5 * MB)],
    ['lists beside lists', `[${'[],'.repeat(2.6 * MB)}[]]`],
    ['names beside names', `{${Array.from({ length: 700_000 }, (_, place) => `"${place}":1`).join(',')}}`],
    ['behind text with quotes and backslashes', `["\\"[\\\\","${'x'.repeat(600_000)}\\\\",${'['.repeat(MB)}`],
  ];

  test.each(cases)('is refused before it is parsed: %s', async (_name, body) => {
    for (const path of [AUDIENCE_SIZE, '/api/rpc/campaigns/countAudience', '/api/contacts/export']) {
      const before = process.threadCpuUsage();
      const answer = await admin.request(path, { method: 'POST', headers: JSON_BODY, body });
      // Of this thread alone: how long it stood still on a machine of its own.
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(500);
      expect([answer.status, await answer.json()]).toMatchObject([
        422,
        { error: { code: 'body_too_complex' } },
      ]);
    }
  });

  test.each(['/api/auth/sign-in/email', '/api/sales-enquiries'])(
    'of a stranger as well: %s',
    async (path) => {
      const answer = await api.stranger.request(path, {
        method: 'POST',
        headers: JSON_BODY,
        body: '['.repeat(10_000),
      });
      expect([answer.status, await answer.json()]).toMatchObject([
        422,
        { error: { code: 'body_too_complex' } },
      ]);
    },
  );

  test('hides in no form of another kind', async () => {
    const form = new FormData();
    form.set('data', '['.repeat(MB));
    for (const path of [AUDIENCE_SIZE, '/api/rpc/campaigns/countAudience'])
      expect((await viewer.request(path, { method: 'POST', body: form })).status).toBe(413);
  });

  test('is told from brackets inside of text', async () => {
    const answer = await admin.post('/api/segments', {
      name: `${'['.repeat(150)}"\\${'{'.repeat(150)}`,
      filter: {},
    });
    expect(await answer.text()).not.toContain('body_too_complex');
  });
});

describe('turns', () => {
  test('go to sharers by what they hold, and wait for nobody without an end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const turns = createTurns({
      atOnce: 3,
      mostWaiting: 10,
      ofOne: { atOnce: 2, mostWaiting: 2 },
      longestWaitMs: 300,
    });
    const order: string[] = [];
    const take = (sharer: string) =>
      turns.take('acme', sharer).then((giveBack) => {
        order.push(sharer);
        return giveBack;
      });
    const [first, bob] = await Promise.all([take('ann'), take('bob'), take('ann')]);
    const [soon, never] = [take('ann'), take('ann')].map((turn) => turn.catch((error: unknown) => error));
    await expect(take('ann')).rejects.toBeInstanceOf(QueueTooLong);
    const carl = take('carl');
    bob?.();
    await carl;
    first?.();
    await soon;
    expect(order).toEqual(['ann', 'bob', 'ann', 'carl', 'ann']);
    await vi.advanceTimersByTimeAsync(300);
    expect(await never).toBeInstanceOf(QueueTooLong);
  });
});

test('large webhooks of strangers take no more than the share of their network', async () => {
  await api.addChannel();
  const path = '/webhooks/whatsapp/acme';
  const signature = { 'x-hub-signature-256': 'sha256=00' };
  const strangers = createCaller(api.app, '');
  startLineClock();
  const stuck = sendStuck(strangers, path, 30, { ...signature, 'x-test-address': '198.51.100.7' });
  try {
    // No time passes on any line before it is read to its end.
    const genuine = await strangers.request(path, {
      method: 'POST',
      headers: { ...JSON_BODY, ...signature, 'x-test-address': '203.0.113.9' },
      body: ' '.repeat(1_000_000),
    });
    // Nobody signs for the platform here: that it was read to its end is what counts.
    expect([genuine.status, await genuine.json()]).toMatchObject([
      401,
      { error: { code: 'webhook_unsigned' } },
    ]);
    expect((await passUntil(Promise.race(stuck.answers))).answer.status).toBe(408);
  } finally {
    await stuck.letGo();
  }
});
