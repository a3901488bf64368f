import { setTimeout as sleep } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { objectOf } from '../core/json.ts';
import { RecentList } from '../core/recent-list.ts';

export type ReceivedRequest = {
  at: string;
  method: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
  /** What it was answered with. */
  status: number;
};

type Receiver = { requests: RecentList<ReceivedRequest>; status: number; latencyMs: number };

const MOST_RECEIVERS = 200;
const MOST_REQUESTS = 5_000;
const LONGEST_LATENCY_MS = 120_000;

/** Receivers of outgoing webhooks, each there as soon as it is named. They keep what they are sent. */
export class ReceiverState {
  readonly #receivers = new Map<string, Receiver>();

  find(name: string): Receiver {
    let receiver = this.#receivers.get(name);
    if (!receiver) {
      // The oldest goes.
      if (this.#receivers.size >= MOST_RECEIVERS)
        this.#receivers.delete([...this.#receivers.keys()][0] ?? '');
      receiver = { requests: new RecentList(MOST_REQUESTS), status: 200, latencyMs: 0 };
      this.#receivers.set(name, receiver);
    }
    return receiver;
  }

  reset(): void {
    this.#receivers.clear();
  }
}

/** `ANY /{name}` is a receiver; `GET /{name}/requests` tells what it was sent, the oldest first, and `POST /{name}/behaviour` how it answers. */
export function receiverRoutes(state: ReceiverState): Hono {
  const app = new Hono();
  app.get('/:name/requests', (c) => {
    const { requests } = state.find(c.req.param('name'));
    return c.json({ requests: [...requests.newestFirst()].toReversed(), total: requests.total });
  });
  app.delete('/:name/requests', (c) => {
    state.find(c.req.param('name')).requests.clear();
    return c.json({ success: true });
  });
  app.post('/:name/behaviour', async (c) => {
    const given = objectOf(await c.req.json().catch(() => undefined));
    const receiver = state.find(c.req.param('name'));
    const { status = receiver.status, latencyMs = receiver.latencyMs } = given;
    if (!isWhole(status, 200, 599) || !isWhole(latencyMs, 0, LONGEST_LATENCY_MS))
      return c.json(
        {
          error: { message: `status is a number from 200 to 599, latencyMs from 0 to ${LONGEST_LATENCY_MS}` },
        },
        400,
      );
    Object.assign(receiver, { status, latencyMs });
    return c.json({ status, latencyMs });
  });
  app.all('/:name', (c) => receive(c, state.find(c.req.param('name'))));
  return app;
}

async function receive(c: Context, receiver: Receiver): Promise<Response> {
  const { status, latencyMs } = receiver;
  receiver.requests.add({
    ...{ at: new Date().toISOString(), method: c.req.method, query: c.req.query() },
    ...{ headers: c.req.header(), body: await c.req.text(), status },
  });
  if (latencyMs > 0) await sleep(latencyMs);
  return [204, 205, 304].includes(status)
    ? new Response(null, { status })
    : c.json({ received: true }, status as ContentfulStatusCode);
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
