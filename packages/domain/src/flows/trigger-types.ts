import { listOfTexts, textOf } from './step-type.ts';
import type { FieldDefinition } from './field.ts';
import type { FlowConfig, FlowKind, Json } from './flow-file.ts';

/** What a flow begins with, waits for or aims at. */
export type TriggerType = {
  /** For ever: flows are stored with it. */
  type: string;
  kinds: readonly FlowKind[];
  fields: readonly FieldDefinition[];
  /** The names under which steps find what it brings, as `{{trigger.<name>}}`. */
  values(config: FlowConfig): readonly string[];
  /** Whether steps may also wait for it, and flows aim at it. */
  isAwaitable: boolean;
  /** Judged from the event alone; conditions on the contact are asked when the run starts. */
  matches(config: FlowConfig, values: { readonly [name: string]: Json }): boolean;
};

const newContact: TriggerType = {
  ...{ type: 'new_contact', kinds: ['workflow'], isAwaitable: false },
  fields: [],
  values: () => [],
  matches: () => true,
};

const tagAdded: TriggerType = {
  ...{ type: 'tag_added', kinds: ['workflow'], isAwaitable: true },
  fields: [{ name: 'tags', kind: 'tags', isRequired: true }],
  values: () => ['tag'],
  matches: (config, { tag }) =>
    typeof tag === 'string' &&
    listOfTexts(config, 'tags').some((one) => one.toLowerCase() === tag.toLowerCase()),
};

const messageReceived: TriggerType = {
  ...{ type: 'message_received', kinds: ['workflow', 'bot'], isAwaitable: true },
  fields: [
    {
      name: 'match',
      kind: 'choice',
      options: ['any', 'contains', 'is', 'starts_with'],
      isRequired: true,
      initial: 'any',
    },
    {
      name: 'words',
      kind: 'words',
      isRequired: true,
      when: { field: 'match', is: ['contains', 'is', 'starts_with'] },
    },
    { name: 'channel', kind: 'channel' },
  ],
  values: () => ['text', 'button', 'message_id'],
  matches(config, values) {
    const channel = textOf(config, 'channel');
    if (channel !== '' && channel !== values['channel_id']) return false;
    const match = textOf(config, 'match');
    if (match === '' || match === 'any') return true;
    const said = normalizeWords(typeof values['text'] === 'string' ? values['text'] : '');
    return listOfTexts(config, 'words')
      .map(normalizeWords)
      .some((words) => matchesWords(match, said, words));
  },
};

/** Small letters, one space between words, nothing at the ends. */
export function normalizeWords(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** `contains` and `starts_with` look at whole words: `art` is not in `start`. */
function matchesWords(match: string, said: string, words: string): boolean {
  if (words === '') return false;
  if (match === 'is') return said === words;
  const isEdge = (letter: string | undefined) => letter === undefined || !/[\p{L}\p{N}]/u.test(letter);
  for (let at = said.indexOf(words); at >= 0; at = said.indexOf(words, at + 1)) {
    if (match === 'starts_with' && at > 0) return false;
    const isWhole = isEdge(at === 0 ? undefined : said[at - 1]) && isEdge(said[at + words.length]);
    if (isWhole) return true;
  }
  return false;
}

/** Every type of trigger, in the order in which the editor offers them: one line each. */
export const triggerTypes: readonly TriggerType[] = [newContact, tagAdded, messageReceived];

const byType = new Map(triggerTypes.map((one) => [one.type, one]));

export function findTriggerType(type: string): TriggerType | undefined {
  return byType.get(type);
}

export function triggerTypesOf(kind: FlowKind): TriggerType[] {
  return triggerTypes.filter(({ kinds }) => kinds.includes(kind));
}
