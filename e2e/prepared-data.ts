import { spawnSync } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProduct, type Product } from './run-product.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Everything that shapes a first start: migrations, sample, and whatever both go through. */
const SOURCES = [
  'apps/server/src',
  'packages/api/src',
  'packages/contracts/src',
  'packages/database/src',
  'packages/delivery/src',
  'packages/domain/src',
  'packages/providers/src',
  'packages/sandbox/src',
  'package-lock.json',
];
/** Outside the checkout, which may be closed to the account that the database runs under. */
const HOME = join(tmpdir(), 'prepared-products');
/** What Node.js keeps of scripts that it has compiled. */
export const COMPILED = join(HOME, 'compiled');
const KEPT_MS = 2 * 3_600_000;
const REVIEWED_WITHIN_MS = 300_000;

/**
 * The data directory of a product that started once, had its sample's templates reviewed, and was stopped. Journeys
 * begin with a copy of it. It is known by what made it and by the hour: the times of the sample are counted back from
 * its making, and are no older than that.
 */
export async function prepareData(): Promise<string> {
  const prepared = join(HOME, hashSources(new Date().toISOString().slice(0, 13)));
  if (existsSync(prepared)) return prepared;
  mkdirSync(HOME, { recursive: true });
  removeOld();
  const draft = `${prepared}.${process.pid}`;
  mkdirSync(draft);
  chmodSync(draft, 0o755);
  try {
    const product = await runProduct(draft);
    await waitForReviews(product).finally(product.stop);
    renameSync(draft, prepared);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another run made the same one meanwhile.
    if (!existsSync(prepared)) throw error;
  }
  return prepared;
}

/**
 * Owners and rights go along: the database refuses a directory that is not its account's own. A database that had to be
 * placed elsewhere is no part of the directory: false, and that product starts from nothing.
 */
export function copyData(prepared: string, dataDir: string): boolean {
  if (existsSync(join(prepared, 'postgres-location'))) return false;
  const { status, stderr } = spawnSync('cp', ['-a', `${prepared}/.`, dataDir], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The prepared data could not be copied: ${stderr}`);
  return true;
}

/** Asks the sandbox: whoever signs in to ask the product would leave a trace in it. */
export async function waitForReviews({ sandboxUrl }: Product): Promise<void> {
  type Delivery = { summary: string; attempts: { status: number | null }[] };
  const deadline = Date.now() + REVIEWED_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${sandboxUrl}/_sandbox/whatsapp/webhooks`);
    const { webhooks } = (await answer.json()) as { webhooks: Delivery[] };
    const told = webhooks.filter(
      ({ summary, attempts }) =>
        summary.includes('template') && attempts.some(({ status }) => status === 200),
    );
    if (told.length >= 2) return;
    if (Date.now() > deadline) throw new Error('The templates of the sample were not reviewed.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function hashSources(hour: string): string {
  const hash = createHash('sha256').update(hour).update(process.version);
  for (const source of SOURCES) hashPath(hash, source);
  return hash.digest('hex').slice(0, 24);
}

function hashPath(hash: Hash, path: string): void {
  const full = join(ROOT, path);
  if (statSync(full).isFile()) hash.update(path).update(readFileSync(full));
  else for (const name of readdirSync(full).toSorted()) hashPath(hash, `${path}/${name}`);
}

function removeOld(): void {
  for (const name of readdirSync(HOME)) {
    const path = join(HOME, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
