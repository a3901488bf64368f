import { guessJsonTargets, readJsonValues } from '@app/domain/contact-imports/json-contact';
import {
  customKeyOf,
  isByPlace,
  isCustomTarget,
  placeTargets,
  type ImportMapping,
  type ImportTarget,
} from '@app/domain/contact-imports/import-mapping';
import { JsonElementsError, splitJsonArray } from '@app/domain/contact-imports/json-elements';
import type { CustomFieldRule } from '@app/domain/custom-fields/custom-field';
import type { SourceRow } from './source-row.ts';
import { ImportRefused } from './import-text.ts';

/** How the elements are read: a mapping names keys, and without one they are understood as headings are. */
type JsonReading = { fields: readonly CustomFieldRule[]; mapping?: ImportMapping | undefined };

/** The elements of a JSON array, or of `contacts` in an object, as rows. */
export async function* readJson(
  start: string,
  rest: AsyncIterable<string>,
  reading: JsonReading,
): AsyncGenerator<SourceRow[]> {
  const elements = splitJsonArray('contacts');
  const targetsOf = rememberShapes(reading);
  const push = (text: string) => elements.push(text).map((element) => asRow(element, targetsOf));
  try {
    yield push(start);
    for await (const text of rest) yield push(text);
    elements.end();
  } catch (error) {
    throw error instanceof JsonElementsError ? refuseJson(error) : error;
  }
}

type Targets = readonly (ImportTarget | null | undefined)[];

function asRow(element: unknown, targetsOf: (keys: readonly string[]) => Targets): SourceRow {
  const values = readJsonValues(element);
  const keys = [...values.keys()];
  const row: SourceRow = { asWritten: element };
  const custom: Record<string, unknown> = {};
  targetsOf(keys).forEach((target, at) => {
    const key = keys[at];
    if (!target || key === undefined) return;
    const value = values.get(key);
    if (isCustomTarget(target)) {
      custom[customKeyOf(target)] = value;
      row.custom = custom;
    } else if (target === 'otherPhone') row.otherPhones = [...(row.otherPhones ?? []), value];
    else row[target] = value;
    if (target === 'consent') row.consentIn = key;
  });
  return row;
}

const MOST_SHAPES = 100;

/** The elements of one file mostly have the same keys. */
function rememberShapes({ fields, mapping }: JsonReading): (keys: readonly string[]) => Targets {
  const shapes = new Map<string, Targets>();
  return (keys) => {
    const shape = keys.join('\n');
    const known =
      shapes.get(shape) ??
      (mapping && !isByPlace(mapping) ? placeTargets(keys, mapping) : guessJsonTargets(keys, fields));
    if (shapes.size < MOST_SHAPES) shapes.set(shape, known);
    return known;
  };
}

const JSON_PROBLEMS = {
  'not-an-array': 'not_an_array',
  'too-deep': 'json_too_deep',
  'too-long': 'json_too_long',
  unfinished: 'json_unfinished',
  malformed: 'json_malformed',
} as const;

export function refuseJson({ problem, line }: JsonElementsError): ImportRefused {
  return new ImportRefused(JSON_PROBLEMS[problem], { line });
}
