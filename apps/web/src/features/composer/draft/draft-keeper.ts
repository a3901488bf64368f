import type { DraftFile } from '@app/domain/drafts/draft';

/** What is being written, as the box shows it and the server keeps it; of its files those that are at the server. */
export type Writing = {
  writingId: string;
  text: string;
  replyTo: string | null;
  files: readonly DraftFile[];
  buttons: readonly string[];
};
/** What this device remembers of it: the version of the server that it has seen, whether something was typed since, and what was sent. */
export type KeptWriting = Writing & { seen: number; isTyped: boolean; sent: readonly string[] };
type ServerDraft = Writing & { version: number };

export type DraftPlaces = {
  /** This device. */
  read(): KeptWriting | null;
  write(kept: KeptWriting | null): void;
  /** The server. */
  load(): Promise<ServerDraft | null>;
  save(draft: Writing & { seen: number }): Promise<'changed' | 'ended' | number>;
  newId(): string;
};

export type DraftKeeper = {
  writing(): Writing;
  /** Each key stroke, and each choice of a message to answer, of files or of buttons. */
  change(part: Partial<Omit<Writing, 'writingId'>>): void;
  /** Takes it away to be sent: what the server still has of it does not come back. */
  take(): Writing;
  /** What another device wrote since is shown, unless something is being typed here. */
  refresh(): Promise<void>;
  /** Saves what was typed, if anything was. */
  flush(): Promise<void>;
};

/** As many sent writings as may still stand on the server while there is no connection. */
const MOST_SENT = 50;
/** Two devices that type at once give way to each other, and not for ever. */
const MOST_TRIES = 4;

/** One draft on this device and the server: what is typed here last is newest, and nothing overwrites what is being typed. */
export function createDraftKeeper(places: DraftPlaces, onShown: (writing: Writing) => void): DraftKeeper {
  const fresh = (): Writing => ({
    ...{ writingId: places.newId(), text: '', replyTo: null },
    ...{ files: [], buttons: [] },
  });
  let kept: KeptWriting = places.read() ?? { ...fresh(), seen: 0, isTyped: false, sent: [] };
  let saving: Promise<void> | null = null;

  function keep(next: Partial<KeptWriting>): void {
    kept = { ...kept, ...next };
    const isEmpty = kept.text === '' && isBlank(kept) && !kept.isTyped && kept.sent.length === 0;
    places.write(isEmpty ? null : kept);
  }

  function showServer(draft: ServerDraft | null): void {
    const isSent = draft !== null && kept.sent.includes(draft.writingId);
    // What the server has no more of needs no memory.
    const sent = isSent ? kept.sent : [];
    if (kept.isTyped || isSent) {
      keep({ sent, seen: draft?.version ?? 0 });
      return;
    }
    const { version: seen, ...writing } = draft ?? { ...fresh(), version: 0 };
    const isNew = !isAlike(writing, kept);
    keep({ ...writing, seen, sent });
    if (isNew) onShown(writing);
  }

  async function saveNow(): Promise<void> {
    for (let tries = 0; kept.isTyped && tries < MOST_TRIES; tries += 1) {
      const { seen } = kept;
      const saved = writingOf(kept);
      const { writingId } = saved;
      const answer = await places.save({ ...saved, seen });
      const isSame = kept.writingId === writingId && isAlike(kept, saved);
      if (answer === 'changed') showServer(await places.load());
      // Sent or given up elsewhere, and typed on here: that is something new.
      else if (answer === 'ended') keep(kept.writingId === writingId ? { writingId: places.newId() } : {});
      else if (isSame && isBlank(saved)) keep({ ...fresh(), seen: answer, isTyped: false });
      else if (isSame) keep({ seen: answer, isTyped: false });
      else if (kept.seen < answer) keep({ seen: answer });
    }
  }

  return {
    writing: () => kept,
    change(part) {
      keep({ ...part, isTyped: true });
    },
    take() {
      const taken = writingOf(kept);
      const { writingId } = taken;
      keep({ ...fresh(), isTyped: false, sent: [writingId, ...kept.sent].slice(0, MOST_SENT) });
      onShown(kept);
      return taken;
    },
    async refresh() {
      if (saving) await saving;
      showServer(await places.load());
    },
    flush() {
      saving ??= saveNow().finally(() => {
        saving = null;
      });
      return saving;
    },
  };
}

function writingOf({ writingId, text, replyTo, files, buttons }: Writing): Writing {
  return { writingId, text, replyTo, files, buttons };
}

/** Nothing that anybody would miss. */
function isBlank({ text, replyTo, files, buttons }: Writing): boolean {
  return text.trim() === '' && replyTo === null && files.length === 0 && buttons.length === 0;
}

function isAlike(one: Writing, other: Writing): boolean {
  const [first, second] = [one, other].map(({ text, replyTo, files, buttons }) =>
    JSON.stringify([
      ...[text, replyTo, buttons],
      files.map(({ fileId, name, kind, size, caption }) => [fileId, name, kind, size, caption]),
    ]),
  );
  return first === second;
}
