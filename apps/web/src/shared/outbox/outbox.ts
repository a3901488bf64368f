import type { ApiFailure } from '../api.ts';
import {
  byTime,
  findNext,
  sizeOf,
  splitContent,
  type OutboxContent,
  type OutboxItem,
} from './outbox-items.ts';
import type { OutboxStore } from './outbox-store.ts';

export type OutboxParts = {
  owner: string;
  store: OutboxStore;
  newKey(): string;
  /** Uploads and sends one item; answers with the message. Throws what the call threw. */
  send(item: OutboxItem, report: (change: Partial<OutboxItem>) => Promise<void>): Promise<string>;
  readFailure(error: unknown): ApiFailure & { isUnanswered: boolean };
  /** Among all tabs only one works at a time; it ends when the work does. */
  whileAlone(work: () => Promise<void>): Promise<void>;
  /** Tells the other tabs, and hears of them. */
  tabs: { tell(news: TabNews): void; listen(hear: (news: TabNews) => void): void };
  now(): number;
};

export type TabNews = { kind: 'changed' } | { kind: 'sent'; item: OutboxItem };

/** So much of files lies in the browser at most. */
const MOST_BYTES = 300 * 1024 * 1024;
const MOST_ITEMS = 500;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Until then the list of messages has been read anew. */
const SHOWN_AFTER_MS = 30_000;

export class OutboxFull extends Error {
  override name = 'OutboxFull';
}

/**
 * Messages that people wrote, until the server has them: each lies in the browser before anything is sent, leaves under one key for ever, in the order
 * of its conversation, from one tab at a time. Nobody calls `conversations.send` otherwise.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #listeners = new Set<() => void>();
  #items: readonly OutboxItem[] = [];
  #sent: readonly OutboxItem[] = [];
  #ofConversation = new Map<string, readonly OutboxItem[]>();
  readonly #busy = new Set<string>();
  /** Shown, and not on the disk yet. */
  readonly #writing = new Set<string>();
  #writes = 0;
  #isWorking = false;
  #mustWorkAgain = false;
  #waitMs = FIRST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #loaded: Promise<void>;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    parts.tabs.listen((news) => {
      if (news.kind === 'sent' && news.item.owner === parts.owner) this.#noteSent(news.item);
      void this.#read();
    });
    this.#loaded = this.#begin();
  }

  /** What waits in a conversation, oldest first; the same list until something changes. */
  itemsOf(conversationId: string): readonly OutboxItem[] {
    const known = this.#ofConversation.get(conversationId);
    if (known) return known;
    const items = [...this.#items, ...this.#sent]
      .filter((item) => item.conversationId === conversationId)
      .sort(byTime);
    this.#ofConversation.set(conversationId, items);
    return items;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Keeps what is said and begins to send it; resolves when it would survive a crash. */
  async add(
    conversationId: string,
    content: OutboxContent,
    { writingId }: { writingId?: string } = {},
  ): Promise<void> {
    const { owner, newKey, now, store } = this.#parts;
    await this.#loaded;
    const last = Math.max(0, ...this.#items.map(({ at }) => at));
    const items = splitContent(content).map((one, place): OutboxItem => ({
      ...{ id: newKey(), owner, conversationId, content: one, state: 'pending' },
      // Behind all that is there, whatever the clock says.
      at: Math.max(now(), last + 1) + place,
      ...('file' in one && {
        fileId: one.file.file instanceof Blob ? (one.file.fileId ?? newKey()) : one.file.file.fileId,
        isUploaded: !(one.file.file instanceof Blob) || one.file.isUploaded === true,
      }),
      ...(writingId && place === 0 && { writingId }),
    }));
    const size = [...this.#items, ...items].reduce((sum, item) => sum + sizeOf(item), 0);
    if (size > MOST_BYTES || this.#items.length + items.length > MOST_ITEMS) throw new OutboxFull();
    for (const { id } of items) this.#writing.add(id);
    this.#show([...this.#items, ...items]);
    try {
      for (const item of items) await store.put(item);
    } catch (error) {
      const ids = items.map(({ id }) => id);
      this.#show(this.#items.filter(({ id }) => !ids.includes(id)));
      await store.remove(ids).catch(() => undefined);
      throw isQuota(error) ? new OutboxFull() : error;
    } finally {
      for (const { id } of items) this.#writing.delete(id);
      this.#writes += 1;
    }
    this.#parts.tabs.tell({ kind: 'changed' });
    this.wake();
  }

  /** Sends anew what was refused, under its key: a refusal left nothing at the server. */
  async retry(id: string): Promise<void> {
    const item = this.#items.find((one) => one.id === id);
    if (item?.state !== 'failed') return;
    const { failure: _, ...rest } = item;
    await this.#change({ ...rest, state: 'pending' });
    this.#parts.tabs.tell({ kind: 'changed' });
    this.wake();
  }

  /** Takes away what is not on its way; false when it is. */
  async discard(id: string): Promise<boolean> {
    if (!(await this.#parts.store.removeFree(id))) return false;
    this.#show(this.#items.filter((one) => one.id !== id));
    this.#parts.tabs.tell({ kind: 'changed' });
    return true;
  }

  /** Tries at once: the connection may be back. */
  wake(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWorking) {
      this.#mustWorkAgain = true;
      return;
    }
    this.#isWorking = true;
    void this.#work().finally(() => {
      this.#isWorking = false;
      if (this.#mustWorkAgain) {
        this.#mustWorkAgain = false;
        this.wake();
      }
    });
  }

  async #begin(): Promise<void> {
    const { owner, store } = this.#parts;
    const all = await store.readAll().catch(() => []);
    // Somebody else signed in since: nothing of the other person stays. What this one wrote in another workspace waits for a tab of that one.
    const foreign = all.filter((item) => personOf(item.owner) !== personOf(owner)).map(({ id }) => id);
    if (foreign.length > 0) await store.remove(foreign).catch(() => undefined);
    this.#show(all.filter((item) => item.owner === owner));
    if (this.#items.length > 0) this.wake();
  }

  async #read(): Promise<void> {
    const { owner, store } = this.#parts;
    const writes = this.#writes;
    const all = await store.readAll().catch(() => null);
    // What was written meanwhile may not be among them.
    if (writes !== this.#writes) return this.#read();
    // How far this tab is with one is known here alone.
    if (all)
      this.#show([
        ...all
          .filter((item) => item.owner === owner && !this.#writing.has(item.id))
          .map((item) => (this.#busy.has(item.id) ? (this.#find(item.id) ?? item) : item)),
        ...this.#items.filter(({ id }) => this.#writing.has(id)),
      ]);
  }

  #find(id: string): OutboxItem | undefined {
    return this.#items.find((item) => item.id === id);
  }

  /** Sends what is there, a message of each conversation at a time, as long as the server answers. */
  async #work(): Promise<void> {
    await this.#loaded;
    await this.#parts.whileAlone(async () => {
      // Another tab may have sent some of it meanwhile.
      await this.#read();
      for (;;) {
        const next = findNext(this.#items).filter(({ id }) => !this.#writing.has(id));
        if (next.length === 0) return;
        const answers = await Promise.all(next.map((item) => this.#sendOne(item)));
        if (answers.includes('unanswered')) return this.#tryLater();
        this.#waitMs = FIRST_WAIT_MS;
      }
    });
  }

  #tryLater(): void {
    this.#timer = setTimeout(() => this.wake(), this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  async #sendOne(item: OutboxItem): Promise<'done' | 'unanswered'> {
    const { send, store, readFailure, tabs } = this.#parts;
    if (!(await store.claim(item.id))) {
      this.#show(this.#items.filter(({ id }) => id !== item.id));
      return 'done';
    }
    this.#busy.add(item.id);
    let current = item;
    const report = async (change: Partial<OutboxItem>) => {
      current = { ...current, ...change };
      this.#show(this.#items.map((one) => (one.id === item.id ? current : one)));
      // How far it is is for nobody's disk; that its file is at the server is.
      if (change.isUploaded) await store.put({ ...current, state: 'pending', isClaimed: true });
    };
    try {
      const messageId = await send(item, report);
      await store.remove([item.id]);
      const sent: OutboxItem = { ...current, state: 'sent', messageId };
      this.#noteSent(sent);
      tabs.tell({ kind: 'sent', item: withoutFile(sent) });
      return 'done';
    } catch (error) {
      const { isUnanswered, ...failure } = readFailure(error);
      const { progress: _, isClaimed: __, ...rest } = current;
      await this.#change(
        isUnanswered ? { ...rest, state: 'pending' } : { ...rest, state: 'failed', failure },
      );
      if (!isUnanswered) tabs.tell({ kind: 'changed' });
      return isUnanswered ? 'unanswered' : 'done';
    } finally {
      this.#busy.delete(item.id);
    }
  }

  /** What is for later is listed elsewhere. */
  #noteSent(item: OutboxItem): void {
    const isForLater = 'sendAt' in item.content && item.content.sendAt !== undefined;
    const others = this.#sent.filter(({ id }) => id !== item.id);
    this.#sent = isForLater ? others : [...others, item];
    this.#show(this.#items.filter(({ id }) => id !== item.id));
    if (isForLater) return;
    setTimeout(() => {
      this.#sent = this.#sent.filter(({ id }) => id !== item.id);
      this.#show(this.#items);
    }, SHOWN_AFTER_MS);
  }

  async #change(item: OutboxItem): Promise<void> {
    this.#show(this.#items.map((one) => (one.id === item.id ? item : one)));
    await this.#parts.store.put(item).catch(() => undefined);
  }

  #show(items: readonly OutboxItem[]): void {
    this.#items = items;
    this.#ofConversation = new Map();
    for (const listener of this.#listeners) listener();
  }
}

/** An owner is a workspace and a person (`ownerHere`). */
function personOf(owner: string): string | undefined {
  return owner.split(':')[1];
}

/** Other tabs show it as it is listed, and need no bytes. */
function withoutFile(item: OutboxItem): OutboxItem {
  if (!('file' in item.content)) return item;
  const { file } = item.content;
  return { ...item, content: { ...item.content, file: { ...file, file: { fileId: item.fileId ?? '' } } } };
}

function isQuota(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}
