import { fitSearch, type SentencePart } from '@app/domain/activity/fit-search';
import { auditedFactTypes, readDefinition, type AuditedFactType } from '@app/domain/events/fact-catalogue';
import type { api } from '../api.ts';
import { subscribeToMessages, t } from '../messages.ts';
import { sayValues } from './say-values.ts';

/** As many ways to find the text in a sentence as one request takes. */
const MOST_SAID = 400;

type Said = NonNullable<Parameters<typeof api.activity.list>[0]['said']>;

/** The facts whose words in the reader's language hold the text, which the server cannot know; it knows the values. */
export function findSaid(search: string): Said {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return [];
  sentences ??= auditedFactTypes.flatMap(readSentences);
  const said = sentences.flatMap(({ type, parts, chosen }) =>
    fitSearch(parts, wanted).map((fits) => ({ type, values: [...chosen, ...fits] })),
  );
  return said.slice(0, MOST_SAID);
}

/** The sentences of all facts, made once for the words that are loaded. */
let sentences: ReturnType<typeof readSentences> | undefined;
subscribeToMessages(() => (sentences = undefined));

// Signs that no text has: they mark where a value stands, whatever the language makes of the order.
const [OPEN, CLOSE] = ['\uE000', '\uE001'];

/** The sentences of one fact: one for each choice of the words that some of its values are. */
function readSentences(type: AuditedFactType) {
  const { values } = readDefinition(type);
  const marks = Object.keys(values).map((name) => [name, `${OPEN}${name}${CLOSE}`] as const);
  let choices: (readonly [string, string])[][] = [[]];
  for (const [name, { words }] of Object.entries(values))
    if (words) choices = choices.flatMap((choice) => words.map((word) => [...choice, [name, word] as const]));
  return choices.map((choice) => ({
    type,
    parts: readParts(t(`activity.fact.${type}`, sayValues(type, Object.fromEntries([...marks, ...choice])))),
    chosen: choice.map(([name, text]) => ({ name, at: 'whole' as const, text })),
  }));
}

function readParts(sentence: string): SentencePart[] {
  // Every second piece is what stood between two signs.
  const pieces = sentence.split(new RegExp(`[${OPEN}${CLOSE}]`));
  const parts = pieces.map((piece, place) => (place % 2 === 1 ? { value: piece } : piece.toLowerCase()));
  return parts.filter((part) => part !== '');
}
