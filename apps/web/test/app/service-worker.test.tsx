import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';

const source = readFileSync(join(import.meta.dirname, '../../public/service-worker.js'), 'utf8');

const origin = 'https://shop.example';

/** A worker's addresses begin where it is. */
class PageResponse extends Response {
  static override redirect(url: string): Response {
    return Response.redirect(new URL(url, origin));
  }
}

type Handler = (event: object) => void;
type Answer = Response | undefined;

/** The worker over a network that answers so, with the dashboard kept or not; what it gives for a page. */
async function openPage(address: string, network: () => Promise<Response>, isKept = true): Promise<Answer> {
  const handlers = new Map<string, Handler>();
  const worker = {
    ...{ URL, Response: PageResponse, Promise, location: new URL(origin) },
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    fetch: network,
    caches: { open: async () => ({ match: async () => (isKept ? new Response('the app') : undefined) }) },
  };
  runInContext(source, createContext(worker));
  let answer: Promise<Answer> = Promise.resolve(undefined);
  handlers.get('fetch')?.({
    request: { method: 'GET', mode: 'navigate', url: origin + address },
    preloadResponse: Promise.resolve(undefined),
    respondWith: (given: Promise<Answer>) => (answer = given),
  });
  return answer;
}

const away = (status: number) => async () => new Response('Bad gateway', { status });
const lost = async () => {
  throw new TypeError('Failed to fetch');
};

test.each(['/', '/login', '/dashboard/contacts'])(
  '%s comes from the server where it answers',
  async (address) => {
    const page = await openPage(address, async () => new Response('from the server'));
    expect(await page?.text()).toBe('from the server');
  },
);

test.each([502, 503, 504])('where a proxy answers %i alone, no page of its own is shown', async (status) => {
  expect(await (await openPage('/dashboard', away(status)))?.text()).toBe('the app');
  const login = await openPage('/login', away(status));
  expect(login?.status).toBe(302);
  expect(login?.headers.get('location')).toContain('/dashboard');
});

test('a public page without a connection leads to the dashboard, and without a kept one is what the network says', async () => {
  expect((await openPage('/login', lost))?.status).toBe(302);
  expect((await openPage('/login', lost, false))?.type).toBe('error');
  expect((await openPage('/login', away(503), false))?.status).toBe(503);
});
