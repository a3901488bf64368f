import { useEffect, useMemo, useState } from 'react';
import { readFileStart, readTextStart, type FileStart } from './read-file-start.ts';

const NOTHING: FileStart = { rows: [], isJson: false, sheets: [] };

/** What the beginning of the file or of the pasted text shows; undefined while it is read. */
export function useFileStart(file: File | null, text: string, sheet: string | undefined) {
  const [read, setRead] = useState<{ of: File; sheet: string | undefined; start: FileStart }>();
  useEffect(() => {
    if (!file) return undefined;
    let isCurrent = true;
    const keep = (start: FileStart) => isCurrent && setRead({ of: file, sheet, start });
    // A file that cannot be read fails at the import itself, with its own sentence.
    void readFileStart(file, sheet).then(keep, () => keep(NOTHING));
    return () => {
      isCurrent = false;
    };
  }, [file, sheet]);
  const pasted = useMemo(() => (file ? NOTHING : readTextStart(text)), [file, text]);
  if (!file) return pasted;
  return read?.of === file && read.sheet === sheet ? read.start : undefined;
}
