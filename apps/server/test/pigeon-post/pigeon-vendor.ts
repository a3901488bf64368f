import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seal } from './pigeon-kind.ts';

export type Letter = { to: string; note: string; mark: string };

export type PigeonVendor = {
  url: string;
  ring: string;
  /** What it took, in order. */
  letters: readonly Letter[];
  /** Where nobody lives. */
  empty: Set<string>;
  /** Whose letters a hawk gets on the way. */
  hunted: Set<string>;
  /** Shakes hands with the address, and tells it everything from then on; answers whether the hand was shaken. */
  tell(callback: string): Promise<boolean>;
  /** Somebody writes to us. */
  write(roof: string, note: string): Promise<number>;
  close(): Promise<void>;
};

/** The platform of the tests' own kind, over real HTTP: it takes letters, and reports each twice, the later news first. */
export async function startPigeonVendor(loft: string): Promise<PigeonVendor> {
  const ring = 'a ring of copper';
  const letters: Letter[] = [];
  const empty = new Set<string>();
  const hunted = new Set<string>();
  const reports = new Set<Promise<unknown>>();
  let callback: string | undefined;
  let count = 0;

  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url !== `/lofts/${loft}/letters` || request.headers['x-ring'] !== ring)
        return answer(401, {});
      const letter = JSON.parse(text) as Letter;
      if (empty.has(letter.to)) return answer(404, {});
      letters.push(letter);
      const id = `letter-${(count += 1)}`;
      answer(200, { letter: id });
      const report = follow(id, letter);
      reports.add(report);
      return void report.finally(() => reports.delete(report));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  async function follow(letter: string, { to: roof, mark }: Letter): Promise<void> {
    const flights = hunted.has(roof) ? (['lost'] as const) : (['opened', 'landed'] as const);
    for (const flight of flights)
      for (let copy = 0; copy < 2; copy += 1) {
        const at = Date.now() + (flight === 'opened' ? 1 : 0);
        await post([{ flight, letter, mark, roof, at, loft }]);
      }
  }

  async function post(news: object[]): Promise<number> {
    const body = Buffer.from(JSON.stringify(news));
    const answer = await fetch(callback!, { method: 'POST', headers: { 'x-seal': seal(ring, body) }, body }); // after the handshake
    await answer.text();
    return answer.status;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    ...{ ring, letters, empty, hunted },
    async tell(address) {
      const answer = await fetch(address, { method: 'POST', body: '{"hello":"who are you"}' });
      const isOurs = (await answer.text()) === seal(ring, Buffer.from('who are you'));
      if (isOurs) callback = address;
      return isOurs;
    },
    write: (roof, note) =>
      post([{ flight: 'arrived', letter: `letter-${(count += 1)}`, roof, note, at: Date.now(), loft }]),
    async close() {
      await Promise.allSettled(reports);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
