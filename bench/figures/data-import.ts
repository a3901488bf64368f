import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { once } from 'node:events';
import type { Bench, BenchRow } from '../harness/bench-report.ts';
import { openBenchProduct, type BenchProduct } from '../harness/bench-product.ts';
import { show } from '../harness/rounds.ts';
import { inSmall } from '../../tools/small-run.ts';

type Run = { megabytes: number; seconds: number; peakMb: number };
type Import = {
  state: string;
  problem: unknown;
  report: { contacts: { added: number; refused: number } } | null;
};

const FEW = inSmall(50, 5_000);

/** The file of data with five times as many contacts as `--large` says: what the process that reads it needs, to look at it and to take it in. */
export const dataImport: Bench = {
  title: 'File of data taken in',
  async run({ large }) {
    const folder = mkdtempSync('/tmp/messaging-bench-data-');
    const product = await openBenchProduct();
    try {
      const few = await writeFile(folder, FEW);
      const many = await writeFile(folder, large * 5);
      const rows: BenchRow[] = [];
      for (const [name, dryRun] of [
        ['a preview', 1],
        ['the import', 0],
      ] as const) {
        const first = await takeIn(product, few, dryRun);
        const second = await takeIn(product, many, dryRun);
        const growth = second.peakMb - first.peakMb;
        console.log(
          `  ${name}: ${show(second.megabytes)} MB in ${show(second.seconds)} s with ${show(second.peakMb)} MB`,
        );
        rows.push({
          figure: `memory of the process, ${name} of ${show(second.megabytes)} MB with ${(large * 5).toLocaleString('en')} contacts`,
          measured: `${show(growth)} MB more (${show(first.peakMb)} → ${show(second.peakMb)})`,
          peer: `${show(first.megabytes)} MB with ${FEW.toLocaleString('en')} contacts`,
          goal: '≤ 150 MB',
          isMet: growth <= 150,
        });
        rows.push({
          figure: `time of ${name}, from the first byte sent`,
          measured: `${show(second.seconds)} s (${show(first.seconds)} s for ${FEW.toLocaleString('en')})`,
          ...{ peer: '', goal: '', isMet: true },
        });
      }
      return rows;
    } finally {
      await product.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

type DataFile = { path: string; contacts: number };

/** As the product writes one; each contact takes about 600 bytes. */
async function writeFile(folder: string, contacts: number): Promise<DataFile> {
  const path = join(folder, `${contacts}.json`);
  const file = createWriteStream(path);
  file.write(
    '{"version":"1.0","exportDate":"2026-11-23T00:00:00.000Z","settings":{},"templates":[],"campaigns":[],"customFields":[],"contacts":[',
  );
  for (let n = 0; n < contacts; n += 1) {
    const contact = {
      ...{ name: `Person ${n}`, phone: `+4915${1_000_000_000 + n}`, email: `person.${n}@example.com` },
      ...{ tags: ['customer', `group ${n % 50}`, 'spring'], status: 'active', optedOut: n % 20 === 0 },
      ...{
        notes: 'They asked for a call in the afternoon. '.repeat(9),
        createdAt: '2026-01-02T03:04:05.000Z',
      },
    };
    if (!file.write(`${n === 0 ? '' : ','}${JSON.stringify(contact)}`)) await once(file, 'drain');
  }
  file.end(']}');
  await once(file, 'finish');
  return { path, contacts };
}

async function takeIn(product: BenchProduct, { path, contacts }: DataFile, dryRun: 0 | 1): Promise<Run> {
  // From here on the most is that of this import.
  writeFileSync(`/proc/${product.serverPid}/clear_refs`, '5');
  const begun = performance.now();
  const id = randomUUID();
  const megabytes = statSync(path).size / 1e6;
  const sent = await fetch(
    `${product.url}/api/data/imports?importId=${id}&fileName=data.json&prefers=file&dryRun=${dryRun}`,
    {
      method: 'POST',
      headers: { cookie: product.cookie, 'content-type': 'application/json' },
      body: Readable.toWeb(createReadStream(path)) as ReadableStream,
      duplex: 'half',
    } as RequestInit,
  );
  if (sent.status !== 202) throw new Error(`The file was refused: ${await sent.text()}`);
  for (;;) {
    const found = (await (await product.get(`/api/data/imports/${id}`)).json()) as Import;
    if (found.state === 'failed') throw new Error(`The import failed: ${JSON.stringify(found.problem)}`);
    if (found.state === 'done') {
      const known = found.report?.contacts;
      if (known === undefined || known.refused > 0)
        throw new Error(`Not all ${contacts} came: ${JSON.stringify(known)}`);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return { megabytes, seconds: (performance.now() - begun) / 1_000, peakMb: readPeak(product.serverPid) };
}

/** The most that a process had in memory since it was asked to forget, in megabytes. */
function readPeak(pid: number): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
