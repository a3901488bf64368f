import { useMemo, useState } from 'react';
import type { DuplicateRule } from '@app/domain/contact-imports/contact-import';
import {
  mayBeConsent,
  readStatedConsent,
  speaksOfOtherChannel,
} from '@app/domain/contact-imports/import-consent';
import { looksLikeData } from '@app/domain/contact-imports/import-headings';
import {
  customKeyOf,
  findHeadingRow,
  findMissingColumns,
  guessByValues,
  guessMapping,
  isCustomTarget,
  severalTargets,
  type ImportTarget,
} from '@app/domain/contact-imports/import-mapping';
import { guessJsonTargets, mapByKey } from '@app/domain/contact-imports/json-contact';
import { readCountryName } from '@app/domain/contacts/country-name';
import { useCustomFields } from '../../shared/contacts/custom-fields.ts';
import { findKeptColumns, keepColumns } from './kept-columns.ts';
import { useFileStart } from './use-file-start.ts';
import { useNumberChoices } from './use-number-choices.ts';

export type ImportChoicesState = ReturnType<typeof useImportChoices>;

/** One column of the file, with the first values that stand in it. */
export type FileColumn = { at: number; heading: string; samples: readonly string[] };

const SAMPLES = 3;
const NO_ROWS: readonly (readonly string[])[] = [];

/** What is to be done with a file: which column means what, of which country its numbers are, who agreed to what. */
export function useImportChoices(file: File | null, text: string) {
  const known = useCustomFields();
  const fields = useMemo(() => known ?? [], [known]);
  const [opened] = useState(() => new Date());
  const [duplicates, setDuplicates] = useState<DuplicateRule>('skip');
  const [tags, setTags] = useState<readonly string[]>([]);
  const [isConsentStated, setConsentStated] = useState(false);
  const [agreed, setAgreed] = useState<{ where: string; on: string } | null>(null);
  const [sheet, setSheet] = useState<{ of: File; name: string }>();
  const [encoding, setEncoding] = useState<{ of: File; name: string }>();
  const [headless, setHeadless] = useState<{ of: string; is: boolean }>();
  const [answered, setAnswered] = useState<{ of: string; at: readonly number[] }>();
  const [changed, setChanged] = useState<{ of: string; mapping: readonly (ImportTarget | null)[] }>();

  const chosenSheet = sheet && sheet.of === file ? sheet.name : undefined;
  const chosenLetters = encoding && encoding.of === file ? encoding.name : undefined;
  const start = useFileStart(file, text, { sheet: chosenSheet, encoding: chosenLetters });
  const allRows = start?.rows ?? NO_ROWS;
  // The title of a report stands above the headings.
  const rows = useMemo(
    () => (start?.isJson ? allRows : allRows.slice(findHeadingRow(allRows, fields))),
    [allRows, fields, start?.isJson],
  );
  const firstRow = useMemo(() => rows[0] ?? [], [rows]);
  const rowKey = firstRow.join('\n');
  const isJson = start?.isJson === true;
  const isHeadless = headless?.of === rowKey ? headless.is : !isJson && looksLikeData(firstRow);
  const columns = useMemo(() => listColumns(rows, isHeadless), [rows, isHeadless]);
  // A mapping belongs to the columns for which it was made.
  const key = `${isHeadless} ${rowKey}`;
  const guess = useMemo(() => {
    if (isHeadless) return guessByValues(rows);
    return isJson ? guessJsonTargets(firstRow, fields) : guessMapping(firstRow, fields);
  }, [isHeadless, isJson, rows, firstRow, fields]);
  const kept = useMemo(
    () => (isHeadless ? undefined : withKnown(findKeptColumns(firstRow), fields)),
    [isHeadless, firstRow, fields],
  );
  const mapping = changed?.of === key ? changed.mapping : (kept ?? guess);
  const people = useMemo(() => (isHeadless ? rows : rows.slice(1)), [isHeadless, rows]);
  // A row that says its own country needs no other.
  const unsettled = useMemo(() => {
    const at = mapping.indexOf('country');
    return at === -1 ? people : people.filter((cells) => !readCountryName(cells[at] ?? ''));
  }, [people, mapping]);
  const phones = useMemo(() => valuesOf('phone', unsettled, mapping), [unsettled, mapping]);
  const otherPhones = useMemo(() => valuesOf('otherPhone', unsettled, mapping), [unsettled, mapping]);
  const numbers = useNumberChoices(phones, otherPhones);
  const missing = columns.length > 0 ? findMissingColumns(mapping) : [];
  const consentIn = columns[mapping.indexOf('consent')]?.heading;
  const saysOptOut = mapping.includes('optOut');
  // What may be about marketing and is not understood is asked about: nothing of it is passed over.
  const asked =
    isHeadless || (kept !== undefined && mapping === kept)
      ? []
      : columns.filter(
          ({ at, heading, samples }) =>
            (mapping[at] ?? null) === null &&
            samples.length > 0 &&
            !(answered?.of === key && answered.at.includes(at)) &&
            mayBeConsent(heading),
        );
  const statedConsent = agreed && readStatedConsent(agreed.where, agreed.on, opened);

  /** What a column means is said of that column alone; only a further number may stand in several. */
  function choose(at: number, target: ImportTarget | null) {
    setAnswered({ of: key, at: [...(answered?.of === key ? answered.at : []), at] });
    // What was stated was stated of the column of before.
    if (target === 'consent' || mapping[at] === 'consent') setConsentStated(false);
    const isAlone = target !== null && !severalTargets.has(target);
    setChanged({
      of: key,
      mapping: columns.map((_, place) =>
        place === at ? target : isAlone && mapping[place] === target ? null : (mapping[place] ?? null),
      ),
    });
  }

  /** Keys that stand further on in JSON are understood by the server, unless people have chosen. */
  function asSent() {
    if (!isJson) return mapping;
    return mapping === guess ? undefined : mapByKey(firstRow, mapping);
  }

  return {
    ...{ duplicates, setDuplicates, tags, setTags },
    ...numbers,
    /** The owner states that whoever says yes in the file agreed. */
    ...{ isConsentStated, setConsentStated },
    /** That everybody in the file agreed: as it is being written, and once it can be said. */
    ...{ agreed, setAgreed, statedConsent: statedConsent ?? undefined },
    isAgreedReady: agreed === null || statedConsent !== undefined,
    /** The column that says who wants marketing, where it speaks of SMS or mail. */
    consentOfOther: consentIn !== undefined && speaksOfOtherChannel(consentIn) ? consentIn : null,
    saysConsent: consentIn !== undefined,
    saysOptOut,
    /** The custom fields that columns can fill. */
    fields,
    /** None of a beginning that only the server reads. */
    columns,
    targetAt: (at: number) => mapping[at] ?? null,
    choose,
    /** Undefined leaves it to the headings and keys of the file. */
    mapping: columns.length > 0 && missing.length === 0 ? asSent() : undefined,
    /** They were chosen for such a file before. */
    isKept: kept !== undefined && mapping === kept,
    /** For rows that fail, and for the next file of this kind. */
    keepChoices() {
      numbers.keepCountry();
      if (changed?.of === key && !isHeadless) keepColumns(firstRow, mapping);
    },
    isJson,
    /** Columns that may say who wants marketing, of which nobody has said yet what they mean. */
    asked,
    /** In which letters the file is read, where that is not certain. */
    letters: start?.letters ?? null,
    encoding: start?.letters?.encoding,
    setEncoding: (name: string) => file && setEncoding({ of: file, name }),
    /** Columns without which nothing can be imported. */
    missing,
    isHeadless,
    setHeadless: (is: boolean) => setHeadless({ of: rowKey, is }),
    sheets: start?.sheets ?? [],
    sheet: chosenSheet,
    setSheet: (name: string) => file && setSheet({ of: file, name }),
    /** What is in the file is known. */
    isRead: start !== undefined,
    /** What was said of one file is not said of the next. */
    clearStatements() {
      setConsentStated(false);
      setAgreed(null);
      setTags([]);
      numbers.deleteWhole();
    },
  };
}

function valuesOf(
  target: ImportTarget,
  people: readonly (readonly string[])[],
  mapping: readonly (ImportTarget | null)[],
): string[] {
  return people.flatMap((cells) => cells.filter((_, at) => mapping[at] === target));
}

/** Fields may be gone since. */
function withKnown(
  targets: readonly (ImportTarget | null)[] | undefined,
  fields: readonly { key: string }[],
): (ImportTarget | null)[] | undefined {
  return targets?.map((target) =>
    target && isCustomTarget(target) && !fields.some(({ key }) => key === customKeyOf(target))
      ? null
      : target,
  );
}

function listColumns(rows: readonly (readonly string[])[], isHeadless: boolean): FileColumn[] {
  const [first = []] = rows;
  const people = isHeadless ? rows : rows.slice(1);
  const width = isHeadless ? Math.max(0, ...rows.map((cells) => cells.length)) : first.length;
  return Array.from({ length: width }, (_, at) => {
    const values = people.map((cells) => cells[at]?.trim() ?? '').filter((value) => value !== '');
    const samples = [...new Set(values)].slice(0, SAMPLES);
    return { at, heading: isHeadless ? '' : (first[at]?.trim() ?? ''), samples };
  });
}
