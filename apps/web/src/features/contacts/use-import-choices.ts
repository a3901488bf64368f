import { useEffect, useMemo, useState } from 'react';
import {
  guessMapping,
  type DuplicateRule,
  type ImportMapping,
  type ImportTarget,
} from '@app/domain/contacts/contact-import';
import { readCsvHeader } from '@app/domain/contacts/csv-cell';
import { useCustomFields } from '../../shared/custom-fields.ts';

export type ImportChoicesState = ReturnType<typeof useImportChoices>;

/** Longer headings are left to the server. */
const HEADER_BYTES = 64 * 1024;

/** What to do with known numbers, and which column of a CSV text means what. */
export function useImportChoices(file: File | null, text: string) {
  const fields = useCustomFields() ?? [];
  const [duplicates, setDuplicates] = useState<DuplicateRule>('skip');
  const [fileStart, setFileStart] = useState('');
  const [changed, setChanged] = useState<{ of: string; mapping: ImportMapping }>();

  useEffect(() => {
    let isCurrent = true;
    setFileStart('');
    void file
      ?.slice(0, HEADER_BYTES)
      .text()
      .then((start) => isCurrent && setFileStart(start))
      // A file that cannot be read fails at the import itself, with its own sentence.
      .catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [file]);

  const start = file ? fileStart : text.slice(0, HEADER_BYTES);
  const headings = useMemo(() => readHeadings(start), [start]);
  const headingKey = headings.join('\n');
  // A mapping belongs to the headings for which it was made.
  const chosen = changed?.of === headingKey ? changed.mapping : guessMapping(headings, fields);
  const isComplete = ['name', 'phone'].every((column) =>
    Object.values(chosen).some((other) => other === column),
  );

  function choose(column: ImportTarget, heading: string) {
    const rest = Object.entries(chosen).filter(([other, known]) => known !== column && other !== heading);
    setChanged({
      of: headingKey,
      mapping: Object.fromEntries(heading === '' ? rest : [...rest, [heading, column]]),
    });
  }

  return {
    duplicates,
    setDuplicates,
    headings,
    /** The custom fields that columns can fill. */
    fields,
    headingOf: (column: ImportTarget) =>
      Object.entries(chosen).find(([, known]) => known === column)?.[0] ?? '',
    choose,
    /** Undefined for JSON, and as long as name and phone are not found: the server then says what is missing. */
    mapping: headings.length > 0 && isComplete ? chosen : undefined,
  };
}

function readHeadings(start: string): string[] {
  const isJson = /^\s*[{[]/.test(start.replace(/^\ufeff/, ''));
  if (isJson || start.trim() === '') return [];
  return [...new Set(readCsvHeader(start.replace(/^[\ufeff\s]*/, '')))].filter(
    (heading) => heading.trim() !== '',
  );
}
