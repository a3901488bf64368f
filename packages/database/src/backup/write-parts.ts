import { createHash, type Hash } from 'node:crypto';
import { encodeHeader, FORMAT, type BackupHeader } from './backup-header.ts';
import { beginEncryption, sealWithChecksum, sealWithKey } from './frame-seal.ts';
import { encodeFrame, FRAME_BYTES, frameKind, type FrameKind } from './frames.ts';
import type { Part, PartEnd } from './parts.ts';

/** Where the bytes go, in order; it resolves when there is room for more. */
export type Sink = (bytes: Uint8Array) => Promise<void>;

export type PartWriter = {
  begin(part: Part): Promise<void>;
  data(bytes: Uint8Array): Promise<void>;
  /** What is known of the part beside its bytes. */
  end(known?: Pick<PartEnd, 'rows' | 'sum'>): Promise<PartEnd>;
  /** A file without this end is a truncated one. */
  finish(): Promise<void>;
};

/** Writes a file part by part; what is not written yet never exceeds one frame. */
export async function openPartWriter(
  sink: Sink,
  about: Omit<BackupHeader, 'product' | 'format' | 'encryption'>,
  passphrase: string | undefined,
): Promise<PartWriter> {
  const encrypted = passphrase ? await beginEncryption(passphrase) : null;
  const head = encodeHeader({
    ...{ product: 'messaging-dashboard', format: FORMAT, ...about },
    encryption: encrypted?.encryption ?? null,
  });
  const headerHash = createHash('sha256')
    .update(head.subarray(head.indexOf(0x0a) + 5)) // behind the first line and the length
    .digest();
  const seal = encrypted ? sealWithKey(encrypted.key, headerHash) : sealWithChecksum(headerHash);
  const whole = createHash('sha256');
  let place = 0;
  let parts = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let ofPart: { hash: Hash; bytes: number } | null = null;

  const put = async (bytes: Uint8Array) => {
    whole.update(bytes);
    await sink(bytes);
  };
  const putFrame = async (kind: FrameKind, body: Uint8Array) => {
    await put(encodeFrame(seal, place, { kind, body }));
    place += 1;
  };
  const flush = async () => {
    const all = Buffer.concat(held);
    held = [];
    heldBytes = 0;
    for (let at = 0; at < all.length; at += FRAME_BYTES)
      await putFrame(frameKind.data, all.subarray(at, at + FRAME_BYTES));
  };
  await put(head);

  return {
    async begin(part) {
      ofPart = { hash: createHash('sha256'), bytes: 0 };
      parts += 1;
      await putFrame(frameKind.begin, asJson(part));
    },
    async data(bytes) {
      ofPart!.hash.update(bytes);
      ofPart!.bytes += bytes.length;
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes >= FRAME_BYTES) await flush();
    },
    async end(known = {}) {
      await flush();
      const end = {
        bytes: ofPart!.bytes,
        sha256: ofPart!.hash.digest('hex'),
        ...known,
      };
      await putFrame(frameKind.end, asJson(end));
      return end;
    },
    async finish() {
      await putFrame(frameKind.finish, asJson({ parts, sha256: whole.copy().digest('hex') }));
    },
  };
}

function asJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
