import type { DraftFile } from '@app/domain/drafts/draft';
import { useEffect, useRef, useState } from 'react';
import { newKey } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { uploadMessageFile } from '../../../shared/outbox/upload-message-file.ts';
import { notify } from '../../../ui/toast.ts';
import type { Draft } from '../draft/use-draft.ts';
import type { Channel } from '../writing-state.ts';
import { validateFile, type FileKind, type FileProblem } from './chosen-file.ts';
import { thumbnailOf } from '../../../shared/conversations/file-addresses.ts';

/** A file that will be sent with the next message. */
export type Attachment = {
  /** Of the file at the server, from the moment on in which it was chosen. */
  id: string;
  /** Null where another device chose it. */
  file: File | null;
  name: string;
  size: number;
  kind: FileKind;
  /** Zero where it stands alone. */
  longestCaption: number;
  caption: string;
  /** What can be shown of it: of this browser, or a small picture of the server. */
  url: string;
  isUploaded: boolean;
};

/** One that this browser has. */
type Local = Attachment & { file: File };

const MOST_FILES = 10;

export type Attachments = {
  files: readonly Attachment[];
  add(files: readonly File[]): void;
  remove(id: string): void;
  caption(id: string, caption: string): void;
  /** Takes them away to be sent, also from the draft: whoever presses twice finds none the second time. */
  take(): readonly Attachment[];
  /** What was taken and could not be kept, before what came since. */
  putBack(files: readonly Attachment[]): void;
};

/** What was taken is kept elsewhere now. */
export function clearAttachments(files: readonly Attachment[]): void {
  for (const { file, url } of files) if (file) URL.revokeObjectURL(url);
}

/**
 * What was chosen, dropped or pasted, here or on another device. What the channel does not take is said at once, and is not among them. Each is
 * uploaded as soon as it was chosen, one after the other, and the draft names it from then on; what does not get there is brought by the outbox.
 */
export function useAttachments(
  conversationId: string,
  capabilities: Channel['capabilities'] | undefined,
  draft: Pick<Draft, 'files' | 'change' | 'writing'>,
): Attachments {
  const [local, setLocal] = useState<readonly Local[]>([]);
  /** As they stand now: what is fetched first may be added when others came or left meanwhile. */
  const held = useRef(local);
  /** Chosen before it is known what the channel takes. */
  const unjudged = useRef<readonly File[]>([]);
  const uploading = useRef<{ id: string; abort: AbortController } | null>(null);
  /** What did not get there holds up none behind it; it is tried again when the browser is back in the network. */
  const tried = useRef(new Set<string>());
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  const put = (next: readonly Local[]) => {
    held.current = next;
    setLocal(next);
  };
  useEffect(
    () => () => {
      uploading.current?.abort.abort();
      clearAttachments(held.current);
    },
    [],
  );

  /** Those that the draft names stand first, in its order. */
  const listFiles = (named: readonly DraftFile[]): readonly Attachment[] => [
    ...named.map((one): Attachment => {
      const here = held.current.find(({ id }) => id === one.fileId);
      const { fileId: id, name, size, kind, caption } = one;
      const longestCaption = capabilities?.media[kind]?.longestCaption ?? 0;
      const url = thumbnailOf({ id });
      return here
        ? { ...here, caption, isUploaded: true }
        : { ...{ id, name, size, kind, caption, longestCaption, url }, file: null, isUploaded: true };
    }),
    ...held.current.filter(({ isUploaded }) => !isUploaded),
  ];
  const changeNamed = (files: readonly DraftFile[]) => latest.current.change({ files });
  const namedNow = () => latest.current.writing().files;

  async function uploadNext(): Promise<void> {
    const next = held.current.find(({ id, isUploaded }) => !isUploaded && !tried.current.has(id));
    if (!next || uploading.current) return;
    const abort = new AbortController();
    uploading.current = { id: next.id, abort };
    const { id: fileId, file, name, size, kind } = next;
    tried.current.add(fileId);
    const isThere = await uploadMessageFile(
      { fileId, conversationId, file, name, kind, signal: abort.signal },
      () => undefined,
    ).then(
      () => true,
      () => false,
    );
    uploading.current = null;
    const after = held.current.find(({ id }) => id === fileId);
    // Taken away meanwhile, or to be brought by the outbox, which says what is wrong with it.
    if (after && isThere) {
      put(held.current.map((one) => (one.id === fileId ? { ...one, isUploaded: true } : one)));
      changeNamed([...namedNow(), { fileId, name, kind, size, caption: after.caption }]);
    }
    await uploadNext();
  }

  const add: Attachments['add'] = (chosen) => {
    if (!capabilities) {
      unjudged.current = [...unjudged.current, ...chosen];
      return;
    }
    const judged = chosen.map((file) => ({ file, is: validateFile(file, capabilities) }));
    const taken = judged.flatMap(({ file, is }) => {
      const { name, size } = file;
      const url = URL.createObjectURL(file);
      if ('kind' in is)
        return [{ id: newKey(), file, name, size, ...is, caption: '', url, isUploaded: false }];
      URL.revokeObjectURL(url);
      return [];
    });
    const fits = taken.slice(0, Math.max(0, MOST_FILES - listFiles(namedNow()).length));
    for (const { url } of taken.slice(fits.length)) URL.revokeObjectURL(url);
    const [refused] = judged.filter(({ is }) => 'reason' in is);
    // One sentence, however many are refused.
    if (refused && 'reason' in refused.is) notify.error(problemText(refused.file.name, refused.is));
    else if (fits.length < taken.length) notify.error(t('composer.file.tooMany', { n: MOST_FILES }));
    put([...held.current, ...fits]);
    void uploadNext();
  };
  const acts = useRef({ uploadNext, add });
  useEffect(() => {
    acts.current = { uploadNext, add };
  });
  useEffect(() => {
    const onOnline = () => {
      tried.current.clear();
      void acts.current.uploadNext();
    };
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
  useEffect(() => {
    if (!capabilities || unjudged.current.length === 0) return;
    const chosen = unjudged.current;
    unjudged.current = [];
    acts.current.add(chosen);
  }, [capabilities]);

  return {
    files: listFiles(draft.files),
    add,
    remove(id) {
      const gone = held.current.find((one) => one.id === id);
      if (gone) URL.revokeObjectURL(gone.url);
      put(held.current.filter((one) => one.id !== id));
      if (uploading.current?.id === id) uploading.current.abort.abort();
      const named = namedNow();
      if (named.some(({ fileId }) => fileId === id)) changeNamed(named.filter(({ fileId }) => fileId !== id));
    },
    caption(id, caption) {
      put(held.current.map((one) => (one.id === id ? { ...one, caption } : one)));
      const named = namedNow();
      if (named.some(({ fileId }) => fileId === id))
        changeNamed(named.map((one) => (one.fileId === id ? { ...one, caption } : one)));
    },
    take() {
      const taken = listFiles(namedNow());
      uploading.current?.abort.abort();
      tried.current.clear();
      put([]);
      if (namedNow().length > 0) changeNamed([]);
      return taken;
    },
    putBack(taken) {
      put([...taken.filter((one): one is Local => one.file !== null), ...held.current]);
      const named = taken.filter(({ isUploaded }) => isUploaded);
      if (named.length > 0)
        changeNamed([
          ...named.map(({ id: fileId, name, kind, size, caption }) => ({
            fileId,
            name,
            kind,
            size,
            caption,
          })),
          ...namedNow(),
        ]);
      void uploadNext();
    },
  };
}

function problemText(name: string, problem: FileProblem): string {
  if (problem.reason === 'too_large') return t('composer.file.tooLarge', { name, limit: String(problem.n) });
  return t(problem.reason === 'empty' ? 'composer.file.empty' : 'composer.file.unsupported', { name });
}
