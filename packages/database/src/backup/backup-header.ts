import { createHash } from 'node:crypto';
import type { ByteReader } from './byte-reader.ts';
import { BackupError } from './backup-error.ts';

/** The first line of each file: it tells people and programs what it is. */
const MAGIC = Buffer.from('messaging-dashboard backup\n');
/** One more when what stands in a file can no longer be read by an earlier version. */
export const FORMAT = 1;
const LONGEST_HEADER = 1024 * 1024;

export type BackupKind = 'installation' | 'workspace';

/** What stands in front in plain text. */
export type BackupHeader = {
  product: 'messaging-dashboard';
  format: number;
  kind: BackupKind;
  /** Of the database that it was taken of: its newest migration, and the hashes of all. */
  schema: string;
  steps: readonly string[];
  createdAt: string;
  encryption: Encryption | null;
};

/** How the key follows from the passphrase, and by what a wrong one is known. */
export type Encryption = {
  kdf: 'scrypt';
  cost: number;
  salt: string;
  check: string;
};

export function encodeHeader(header: BackupHeader): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([MAGIC, length, text]);
}

/**
 * Reads what stands in front. Later versions may add words to it, and keep these.
 * @throws {BackupError}
 */
export async function readHeader(reader: ByteReader): Promise<{ header: BackupHeader; hash: Buffer }> {
  const magic = await reader.take(MAGIC.length);
  if (!magic?.equals(MAGIC)) throw new BackupError('foreign');
  const length = await reader.need(4);
  const size = length.readUInt32BE();
  if (size > LONGEST_HEADER) throw new BackupError('damaged');
  const text = await reader.need(size);
  const header = parse(text);
  if (header.format > FORMAT) throw new BackupError('newer');
  return { header, hash: createHash('sha256').update(text).digest() };
}

function parse(text: Buffer): BackupHeader {
  let found: unknown;
  try {
    found = JSON.parse(text.toString());
  } catch {
    throw new BackupError('damaged');
  }
  if (!isHeader(found)) throw new BackupError('foreign');
  return found;
}

function isHeader(value: unknown): value is BackupHeader {
  if (typeof value !== 'object' || value === null) return false;
  const { product, format, kind, steps, createdAt, encryption } = value as Partial<BackupHeader>; // looked at below
  return (
    product === 'messaging-dashboard' &&
    Number.isInteger(format) &&
    (kind === 'installation' || kind === 'workspace') &&
    Array.isArray(steps) &&
    typeof encryption === 'object' &&
    typeof createdAt === 'string'
  );
}
