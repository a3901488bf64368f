import { createHash, type Hash } from 'node:crypto';
import { BackupError } from './backup-error.ts';
import { readHeader, type BackupHeader } from './backup-header.ts';
import { ByteReader } from './byte-reader.ts';
import { findKey, sealWithChecksum, sealWithKey } from './frame-seal.ts';
import { frameKind, readFrame } from './frames.ts';
import type { Part, PartEnd, PartEvent } from './parts.ts';

export type OpenedBackup = {
  header: BackupHeader;
  /** All parts in order, each checked against what was written. Throws `BackupError` where something is not as it was. */
  parts: AsyncGenerator<PartEvent>;
};

/** @throws {BackupError} for a file that is not ours, of a later version, or whose passphrase is another one */
export async function openBackup(
  source: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
): Promise<OpenedBackup> {
  const reader = new ByteReader(source);
  const { header, hash } = await readHeader(reader);
  const seal = header.encryption
    ? sealWithKey(await findKey(header.encryption, passphrase), hash)
    : sealWithChecksum(hash);

  async function* readAll(): AsyncGenerator<PartEvent> {
    let part: Part | null = null;
    let found: { hash: Hash; bytes: number } | null = null;
    let parts = 0;
    for (let place = 0; ; place += 1) {
      const before = reader.hash.copy();
      const { kind, body } = await readFrame(reader, seal, place);
      if (kind === frameKind.begin) {
        if (part) throw new BackupError('damaged');
        part = readJson<Part>(body);
        found = { hash: createHash('sha256'), bytes: 0 };
        parts += 1;
        yield { event: 'begin', part };
      } else if (kind === frameKind.data) {
        if (!part || !found) throw new BackupError('damaged');
        found.hash.update(body);
        found.bytes += body.length;
        yield { event: 'data', part, bytes: body };
      } else if (kind === frameKind.end) {
        if (!part || !found) throw new BackupError('damaged');
        const end = readJson<PartEnd>(body);
        if (end.bytes !== found.bytes || end.sha256 !== found.hash.digest('hex'))
          throw new BackupError('damaged');
        yield { event: 'end', part, end };
        part = null;
      } else {
        const end = readJson<{ parts: number; sha256: string }>(body);
        const isWhole = !part && end.parts === parts && end.sha256 === before.digest('hex');
        if (!isWhole || (await reader.take(1))) throw new BackupError('damaged');
        return;
      }
    }
  }
  return { header, parts: readAll() };
}

function readJson<Value>(body: Uint8Array): Value {
  try {
    return JSON.parse(Buffer.from(body).toString()) as Value; // sealed as it was written
  } catch {
    throw new BackupError('damaged');
  }
}
