import { useEffect, useMemo, useState } from 'react';
import {
  findLeftOut,
  findMissingColumns,
  guessMapping,
  isNamePart,
  type DuplicateRule,
  type ImportMapping,
  type ImportTarget,
} from '@app/domain/contact-imports/contact-import';
import { readCsvHeader } from '@app/domain/contact-imports/csv-reader';
import { readConsentHeading, speaksOfOtherChannel } from '@app/domain/contact-imports/import-consent';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { useCustomFields } from '../../shared/contacts/custom-fields.ts';

export type ImportChoicesState = ReturnType<typeof useImportChoices>;

/** Longer headings are left to the server. */
const HEADER_CHARACTERS = 64 * 1024;

/** What to do with known numbers, and which column of a CSV text means what. */
export function useImportChoices(file: File | null, text: string) {
  const fields = useCustomFields() ?? [];
  const [duplicates, setDuplicates] = useState<DuplicateRule>('skip');
  const [country, setCountry] = useState<PhoneCountry | undefined>(undefined);
  const [isConsentStated, setConsentStated] = useState(false);
  const [fileStart, setFileStart] = useState<{ of: File; text: string }>();
  const [changed, setChanged] = useState<{ of: string; mapping: ImportMapping }>();

  useEffect(() => {
    if (!file) return undefined;
    let isCurrent = true;
    const keep = (start: string) => isCurrent && setFileStart({ of: file, text: start });
    // A file that cannot be read fails at the import itself, with its own sentence.
    void readStart(file).then(keep, () => keep(''));
    return () => {
      isCurrent = false;
    };
  }, [file]);

  const isRead = !file || fileStart?.of === file;
  const start = !file ? text.slice(0, HEADER_CHARACTERS) : fileStart?.of === file ? fileStart.text : '';
  const { cells, headings, isWhole } = useMemo(() => readHeadings(start), [start]);
  const headingKey = headings.join('\n');
  // A mapping belongs to the headings for which it was made.
  const chosen = changed?.of === headingKey ? changed.mapping : guessMapping(headings, fields);
  const missing = findMissingColumns(Object.values(chosen));
  const mayHold = useMemo(
    () => (headings.length > 0 ? Object.values(chosen) : findJsonConsent(start)),
    [headings, chosen, start],
  );
  const leftOut = useMemo(() => findLeftOut(cells, chosen), [cells, chosen]);

  const consentIn =
    headings.length > 0
      ? Object.entries(chosen).find(([, known]) => known === 'consent')?.[0]
      : findJsonKeys(start).find((key) => readConsentHeading(key) === 'consent');

  function choose(column: ImportTarget, heading: string) {
    // What was stated was stated of the column of before.
    if (column === 'consent') setConsentStated(false);
    const rest = Object.entries(chosen).filter(
      ([other, known]) =>
        known !== column && other !== heading && !(column === 'name' && heading !== '' && isNamePart(known)),
    );
    setChanged({
      of: headingKey,
      mapping: Object.fromEntries(heading === '' ? rest : [...rest, [heading, column]]),
    });
  }

  return {
    duplicates,
    setDuplicates,
    /** Where numbers without a country code are from. */
    country,
    setCountry,
    /** The owner states that whoever says yes in the file agreed. */
    isConsentStated,
    setConsentStated,
    /** The column that says who wants marketing, where it speaks of SMS or mail. */
    consentOfOther: consentIn !== undefined && speaksOfOtherChannel(consentIn) ? consentIn : null,
    headings,
    /** What the file may say about marketing. */
    saysConsent: mayHold.includes('consent'),
    saysOptOut: mayHold.includes('optOut'),
    /** The custom fields that columns can fill. */
    fields,
    headingOf: (column: ImportTarget) =>
      Object.entries(chosen).find(([, known]) => known === column)?.[0] ?? '',
    choose,
    /** Undefined for JSON, and for headings that go on where nobody looked: the server then reads them. */
    mapping: headings.length > 0 && missing.length === 0 ? chosen : undefined,
    /** Columns without which nothing can be imported, while the person can still choose them. */
    missing: headings.length > 0 && isWhole ? missing : [],
    /** Columns of which nothing is taken over. */
    leftOut,
    /** What is in the file is known. */
    isRead,
  };
}

/** UTF-16 says so by its first bytes, and what is no UTF-8 is Windows-1252, as the server reads it. */
async function readStart(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, HEADER_CHARACTERS).arrayBuffer());
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'be' : null;
  if (mark !== null) return new TextDecoder(`utf-16${mark}`).decode(bytes);
  try {
    // The last letter may be cut.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** By the keys at the beginning, as the server finds them. */
function findJsonConsent(start: string): (ImportTarget | undefined)[] {
  return findJsonKeys(start).map(readConsentHeading);
}

function findJsonKeys(start: string): string[] {
  return [...start.matchAll(/"([^"\\]+)"\s*:/g)].map(([, key = '']) => key);
}

function readHeadings(start: string): { cells: string[]; headings: string[]; isWhole: boolean } {
  const text = start.replace(/^[\ufeff\s]*/, '');
  if (text === '' || /^[{[]/.test(text)) return { cells: [], headings: [], isWhole: true };
  const { cells, isWhole } = readCsvHeader(text);
  return {
    cells,
    headings: [...new Set(cells)].filter((heading) => heading.trim() !== ''),
    isWhole: isWhole || start.length < HEADER_CHARACTERS,
  };
}
