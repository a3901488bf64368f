import { NumberTable } from '../../core/number-table.ts';
import { hashText } from '../../core/seeded-random.ts';

export const messageStates = ['accepted', 'sent', 'delivered', 'read', 'played', 'failed'] as const;
export type MessageState = (typeof messageStates)[number];

export interface LedgerEntry {
  index: number;
  /** Digits without plus, or a business-scoped user id. */
  recipient: string;
  tag: string;
  acceptedAt: number;
  state: MessageState;
  /** Why it will fail or failed; 0 = it does not. */
  failCode: number;
  /** What the caller stored with `kindOf`: type, category, template. */
  kind: string;
  numberId: string;
}

const CHUNK = 8192;

interface Chunk {
  recipients: Float64Array;
  times: Float64Array;
  states: Uint8Array;
  kinds: Uint16Array;
  numbers: Uint16Array;
  failCodes: Uint32Array;
  tagEnds: Uint32Array;
  tags: Buffer;
  tagBytes: number;
  count: number;
  /** Statuses still to come; an unrecorded chunk is let go at 0. */
  open: number;
}

/**
 * Every accepted message in about 60 bytes: columns in chunks, so that a run of millions stays small. With
 * `record: false` a chunk lives only until its last status has been delivered.
 */
export class MessageLedger {
  accepted = 0;
  byRecipientMax = 0;
  byTagMax = 0;
  #chunks = new Map<number, Chunk>();
  #next = 0;
  #first = 0;
  #recipients = new NumberTable();
  #tags = new NumberTable();
  #userIds = new Map<number, string>();
  #kinds = new Interned();
  #numbers = new Interned();
  #isRecording: () => boolean;

  constructor(isRecording: () => boolean) {
    this.#isRecording = isRecording;
  }

  get distinctRecipients(): number {
    return this.#recipients.size;
  }

  get distinctTags(): number {
    return this.#tags.size;
  }

  get first(): number {
    return this.#first;
  }

  get next(): number {
    return this.#next;
  }

  /** Index of the new entry, and how many messages this recipient has got with it. */
  append(
    recipient: string,
    tag: string,
    kind: string,
    numberId: string,
    now: number,
  ): { index: number; turn: number } {
    const index = this.#next++;
    const chunk = this.#chunkFor(index);
    const at = index % CHUNK;
    const key = recipientKey(recipient);
    if (key < 0) this.#userIds.set(key, recipient);
    chunk.recipients[at] = key;
    chunk.times[at] = now;
    chunk.kinds[at] = this.#kinds.codeOf(kind);
    chunk.numbers[at] = this.#numbers.codeOf(numberId);
    appendTag(chunk, at, tag);
    chunk.count++;
    this.accepted++;
    const turn = this.#recipients.increment(Math.abs(key));
    if (turn > this.byRecipientMax) this.byRecipientMax = turn;
    if (tag !== '') this.byTagMax = Math.max(this.byTagMax, this.#tags.increment(hashText(tag)));
    return { index, turn };
  }

  get(index: number): LedgerEntry | undefined {
    const chunk = this.#chunks.get(Math.floor(index / CHUNK));
    const at = index % CHUNK;
    if (!chunk || index < this.#first || index >= this.#next) return undefined;
    const key = chunk.recipients[at] ?? 0;
    return {
      index,
      recipient: key < 0 ? (this.#userIds.get(key) ?? '') : String(key),
      tag: chunk.tags.toString('utf8', at === 0 ? 0 : chunk.tagEnds[at - 1], chunk.tagEnds[at]),
      acceptedAt: chunk.times[at] ?? 0,
      state: messageStates[chunk.states[at] ?? 0] ?? 'accepted',
      failCode: chunk.failCodes[at] ?? 0,
      kind: this.#kinds.textOf(chunk.kinds[at] ?? 0),
      numberId: this.#numbers.textOf(chunk.numbers[at] ?? 0),
    };
  }

  failLater(index: number, code: number): void {
    const chunk = this.#chunks.get(Math.floor(index / CHUNK));
    if (chunk) chunk.failCodes[index % CHUNK] = code;
  }

  /** States only move up; a failure does not undo a delivery. */
  raiseState(index: number, state: number): void {
    const chunk = this.#chunks.get(Math.floor(index / CHUNK));
    if (!chunk) return;
    const at = index % CHUNK;
    const before = chunk.states[at] ?? 0;
    const isLateFailure = messageStates[state] === 'failed' && before >= 2;
    if (state > before && !isLateFailure) chunk.states[at] = state;
  }

  openStatuses(index: number, count: number): void {
    const chunk = this.#chunks.get(Math.floor(index / CHUNK));
    if (chunk) chunk.open += count;
  }

  closeStatus(index: number): void {
    const number = Math.floor(index / CHUNK);
    const chunk = this.#chunks.get(number);
    if (!chunk) return;
    chunk.open--;
    if (chunk.open <= 0 && chunk.count === CHUNK && !this.#isRecording()) this.#chunks.delete(number);
  }

  /** Entries from `after` on, oldest first, of one recipient or tag if given. */
  list(after: number, limit: number, only: { recipient?: string; tag?: string }): LedgerEntry[] {
    const key = only.recipient === undefined ? undefined : recipientKey(only.recipient);
    const found: LedgerEntry[] = [];
    for (let index = Math.max(after, this.#first); index < this.#next && found.length < limit; index++) {
      const chunk = this.#chunks.get(Math.floor(index / CHUNK));
      if (!chunk) {
        index += CHUNK - 1 - (index % CHUNK);
        continue;
      }
      if (key !== undefined && chunk.recipients[index % CHUNK] !== key) continue;
      const entry = this.get(index);
      if (entry && (only.tag === undefined || entry.tag === only.tag)) found.push(entry);
    }
    return found;
  }

  /** Indexes go on from where they were, so that an old message id never means a new message. */
  clear(): void {
    this.#first = this.#next;
    this.accepted = 0;
    this.byRecipientMax = 0;
    this.byTagMax = 0;
    this.#chunks.clear();
    this.#recipients = new NumberTable();
    this.#tags = new NumberTable();
    this.#userIds.clear();
  }

  #chunkFor(index: number): Chunk {
    const number = Math.floor(index / CHUNK);
    let chunk = this.#chunks.get(number);
    if (!chunk) {
      chunk = newChunk();
      // After a reset in the middle of a chunk the slots before it count as used.
      chunk.count = index % CHUNK;
      this.#chunks.set(number, chunk);
      const previous = this.#chunks.get(number - 1);
      if (previous && previous.open <= 0 && !this.#isRecording()) this.#chunks.delete(number - 1);
    }
    return chunk;
  }
}

/** Phone numbers are their own key; user ids get a negative one. */
export function recipientKey(recipient: string): number {
  return /^\d{1,15}$/.test(recipient) ? Number(recipient) : -hashText(recipient) - 1;
}

function newChunk(): Chunk {
  return {
    recipients: new Float64Array(CHUNK),
    times: new Float64Array(CHUNK),
    states: new Uint8Array(CHUNK),
    kinds: new Uint16Array(CHUNK),
    numbers: new Uint16Array(CHUNK),
    failCodes: new Uint32Array(CHUNK),
    tagEnds: new Uint32Array(CHUNK),
    tags: Buffer.allocUnsafe(CHUNK * 8),
    tagBytes: 0,
    count: 0,
    open: 0,
  };
}

function appendTag(chunk: Chunk, at: number, tag: string): void {
  if (tag !== '') {
    if (chunk.tagBytes + tag.length * 3 > chunk.tags.length) {
      const larger = Buffer.allocUnsafe(Math.max(chunk.tags.length * 2, chunk.tagBytes + tag.length * 3));
      chunk.tags.copy(larger, 0, 0, chunk.tagBytes);
      chunk.tags = larger;
    }
    chunk.tagBytes += chunk.tags.write(tag, chunk.tagBytes, 'utf8');
  }
  chunk.tagEnds[at] = chunk.tagBytes;
}

/** Few different texts, kept once and named by a small number. */
class Interned {
  #codes = new Map<string, number>();
  #texts: string[] = [];

  codeOf(text: string): number {
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.#texts.push(text) - 1;
      this.#codes.set(text, code);
    }
    return code;
  }

  textOf(code: number): string {
    return this.#texts[code] ?? '';
  }
}
