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
  clear(): void;
};

/** What was chosen, dropped or pasted. What the channel does not take is said at once, and is not among them. */
export function useAttachments(capabilities: Channel['capabilities'] | undefined): Attachments {
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const held = useRef(files);
  useEffect(() => {
    held.current = files;
  });
  useEffect(() => () => held.current.forEach(({ url }) => URL.revokeObjectURL(url)), []);

  return {
    files,
    add(chosen) {
      if (!capabilities) return;
      const judged = chosen.map((file) => ({ file, is: judgeFile(file, capabilities) }));
      const taken = judged.flatMap(({ file, is }) =>
        'kind' in is ? [{ id: newKey(), file, ...is, caption: '', url: URL.createObjectURL(file) }] : [],
      );
      const fits = taken.slice(0, Math.max(0, MOST_FILES - files.length));
      for (const { url } of taken.slice(fits.length)) URL.revokeObjectURL(url);
      const [refused] = judged.filter(({ is }) => 'reason' in is);
      // One sentence, however many are refused.
      if (refused && 'reason' in refused.is) notify.error(problemText(refused.file.name, refused.is));
      else if (fits.length < taken.length) notify.error(t('composer.file.tooMany', { n: MOST_FILES }));
      setFiles([...files, ...fits]);
    },
    remove(id) {
      const gone = files.find((one) => one.id === id);
      if (gone) URL.revokeObjectURL(gone.url);
      setFiles(files.filter((one) => one.id !== id));
    },
    caption: (id, caption) => setFiles(files.map((one) => (one.id === id ? { ...one, caption } : one))),
    clear() {
      for (const { url } of files) URL.revokeObjectURL(url);
      setFiles([]);
    },
  };
}

function problemText(name: string, problem: FileProblem): string {
  if (problem.reason === 'too_large') return t('composer.file.tooLarge', { name, limit: String(problem.n) });
  return t(problem.reason === 'empty' ? 'composer.file.empty' : 'composer.file.unsupported', { name });
}
