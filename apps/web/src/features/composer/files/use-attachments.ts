import { useEffect, useRef, useState } from 'react';
import { newKey } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { notify } from '../../../ui/toast.ts';
import { judgeFile, type FileKind, type FileProblem } from './chosen-file.ts';
import type { Channel } from '../writing-state.ts';

/** A file that will be sent with the next message. */
export type Attachment = {
  id: string;
  file: File;
  kind: FileKind;
  /** Zero where it stands alone. */
  longestCaption: number;
  caption: string;
  /** Of this browser, for what it can show. */
  url: string;
};

const MOST_FILES = 10;

export type Attachments = {
  files: readonly Attachment[];
  add(files: readonly File[]): void;
  remove(id: string): void;
  caption(id: string, caption: string): void;
  /** Takes them away to be sent: whoever presses twice finds none the second time. */
  take(): readonly Attachment[];
  /** What was taken and could not be kept, before what came since. */
  putBack(files: readonly Attachment[]): void;
};

/** What was taken is kept elsewhere now. */
export function forgetAttachments(files: readonly Attachment[]): void {
  for (const { url } of files) URL.revokeObjectURL(url);
}

/** What was chosen, dropped or pasted. What the channel does not take is said at once, and is not among them. */
export function useAttachments(capabilities: Channel['capabilities'] | undefined): Attachments {
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  /** As they stand now: what is fetched first may be added when others came or left meanwhile. */
  const held = useRef(files);
  const put = (next: readonly Attachment[]) => {
    held.current = next;
    setFiles(next);
  };
  useEffect(() => () => forgetAttachments(held.current), []);

  return {
    files,
    add(chosen) {
      if (!capabilities) return;
      const judged = chosen.map((file) => ({ file, is: judgeFile(file, capabilities) }));
      const taken = judged.flatMap(({ file, is }) =>
        'kind' in is ? [{ id: newKey(), file, ...is, caption: '', url: URL.createObjectURL(file) }] : [],
      );
      const fits = taken.slice(0, Math.max(0, MOST_FILES - held.current.length));
      for (const { url } of taken.slice(fits.length)) URL.revokeObjectURL(url);
      const [refused] = judged.filter(({ is }) => 'reason' in is);
      // One sentence, however many are refused.
      if (refused && 'reason' in refused.is) notify.error(problemText(refused.file.name, refused.is));
      else if (fits.length < taken.length) notify.error(t('composer.file.tooMany', { n: MOST_FILES }));
      put([...held.current, ...fits]);
    },
    remove(id) {
      const gone = held.current.find((one) => one.id === id);
      if (gone) URL.revokeObjectURL(gone.url);
      put(held.current.filter((one) => one.id !== id));
    },
    caption: (id, caption) => put(held.current.map((one) => (one.id === id ? { ...one, caption } : one))),
    take() {
      const taken = held.current;
      put([]);
      return taken;
    },
    putBack: (taken) => put([...taken, ...held.current]),
  };
}

function problemText(name: string, problem: FileProblem): string {
  if (problem.reason === 'too_large') return t('composer.file.tooLarge', { name, limit: String(problem.n) });
  return t(problem.reason === 'empty' ? 'composer.file.empty' : 'composer.file.unsupported', { name });
}
