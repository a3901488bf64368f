import { useEffect, useMemo, useState } from 'react';
import { readFileStart, readTextStart, type FileStart } from './read-file-start.ts';

const NOTHING: FileStart = { rows: [], isJson: false, sheets: [], letters: null };

type How = { sheet: string | undefined; encoding: string | undefined };

/** What the beginning of the file or of the pasted text shows; undefined while it is read. */
export function useFileStart(file: File | null, text: string, { sheet, encoding }: How) {
  const [read, setRead] = useState<{ of: File; how: How; start: FileStart }>();
  useEffect(() => {
    if (!file) return undefined;
    let isCurrent = true;
    const how = { sheet, encoding };
    const keep = (start: FileStart) => isCurrent && setRead({ of: file, how, start });
    // A file that cannot be read fails at the import itself, with its own sentence.
    void readFileStart(file, how).then(keep, () => keep(NOTHING));
    return () => {
      isCurrent = false;
    };
  }, [file, sheet, encoding]);
  const pasted = useMemo(() => (file ? NOTHING : readTextStart(text)), [file, text]);
  if (!file) return pasted;
  const isCurrent = read?.of === file && read.how.sheet === sheet && read.how.encoding === encoding;
  return isCurrent ? read.start : undefined;
}
