import { Agent, request } from 'node:http';
import type { BenchProduct } from './bench-product.ts';

export type Listeners = Awaited<ReturnType<typeof openListeners>>;

type Listener = { ids: number[]; lastId: number; leave(): void };

const QUIET_MS = 1_000;
const LONGEST_MS = 20_000;

/** So many event streams of the workspace, as browsers hold them. */
export async function openListeners({ url, cookie }: BenchProduct, count: number) {
  const agent = new Agent({ maxSockets: Infinity });
  let events = 0;
  let lastAt = Date.now();
  const waiting = new Set<(at: number) => void>();

  function open(lastId?: number): Promise<Listener> {
    return new Promise((resolve, reject) => {
      const headers = { cookie, ...(lastId !== undefined && { 'last-event-id': String(lastId) }) };
      const asked = request(`${url}/api/events`, { agent, headers }, (answer) => {
        const listener: Listener = { ids: [], lastId: lastId ?? 0, leave: () => asked.destroy() };
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
          const blocks = text.split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) {
            const id = Number(/^id: (\d+)$/m.exec(block)?.[1] ?? Number.NaN);
            if (Number.isNaN(id)) continue;
            const topic = /^event: (\S+)$/m.exec(block)?.[1];
            listener.lastId = id;
            if (topic === 'ready') continue;
            listener.ids.push(id);
            events += 1;
            lastAt = Date.now();
            if (topic === 'messages') for (const emit of waiting) emit(lastAt);
          }
        });
        answer.on('error', () => undefined);
        resolve(listener);
      });
      asked.on('error', (error) => reject(error));
      asked.end();
    });
  }

  const listeners: Listener[] = [];
  for (let opened = 0; opened < count; opened += 50)
    listeners.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - opened) }, () => open()))),
    );
  let gone: Listener[] = [];

  const untilQuiet = async () => {
    const begunAt = Date.now();
    do await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    while (Date.now() - lastAt < QUIET_MS && Date.now() - begunAt < LONGEST_MS);
  };
  await untilQuiet();
  const from = Math.max(...listeners.map(({ lastId }) => lastId));

  return {
    events: () => events,
    lastAt: () => lastAt,
    untilQuiet,
    /** How long each listener waited for the message that was said at this moment. */
    async nextMessage(saidAt: number): Promise<number[]> {
      const latencies: number[] = [];
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 3_000);
        const emit = (at: number) => {
          latencies.push(at - saidAt);
          if (latencies.length < count) return;
          clearTimeout(timer);
          resolve();
        };
        waiting.clear();
        waiting.add(emit);
      });
      waiting.clear();
      return latencies;
    },
    async leave(some: number): Promise<void> {
      gone = listeners.slice(0, some);
      for (const listener of gone) listener.leave();
    },
    /** They go on after the last event that they heard. */
    async comeBack(): Promise<void> {
      for (const [index, listener] of gone.entries()) {
        const back = await open(listener.lastId);
        back.ids.unshift(...listener.ids);
        listeners[index] = back;
      }
    },
    /** Against what a listener heard that was there all the time. */
    compare(): { missed: number; doubled: number } {
      const whole = (listeners.at(-1)?.ids ?? []).filter((id) => id > from);
      let [missed, doubled] = [0, 0];
      for (const { ids } of listeners) {
        const own = ids.filter((id) => id > from);
        const known = new Set(own);
        missed += whole.filter((id) => !known.has(id)).length;
        doubled += own.length - known.size;
      }
      return { missed, doubled };
    },
    close(): void {
      for (const { leave } of listeners) leave();
      agent.destroy();
    },
  };
}
