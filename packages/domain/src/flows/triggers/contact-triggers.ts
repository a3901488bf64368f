import { listOfTexts, textOf } from '../step-type.ts';
import type { TriggerType } from '../trigger-type.ts';

export const newContact: TriggerType = {
  ...{ type: 'new_contact', kinds: ['workflow'], isAwaitable: false },
  fields: [],
  values: () => [],
  matches: () => true,
};

export const tagAdded: TriggerType = {
  ...{ type: 'tag_added', kinds: ['workflow'], isAwaitable: true },
  fields: [{ name: 'tags', kind: 'tags', isRequired: true }],
  values: () => ['tag'],
  matches: (config, { tag }) =>
    typeof tag === 'string' &&
    listOfTexts(config, 'tags').some((one) => one.toLowerCase() === tag.toLowerCase()),
};

export const messageReceived: TriggerType = {
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

/** What the contact said of marketing, by a word, a form, a member or the platform. */
export const consentChanged: TriggerType = {
  ...{ type: 'consent_changed', kinds: ['workflow'], isAwaitable: true },
  fields: [
    {
      ...{ name: 'consent', kind: 'choice', isRequired: true, initial: 'opt_in' },
      options: ['opt_in', 'opt_out', 'any'],
    },
  ],
  values: () => ['consent'],
  matches: (config, { consent }) => {
    const wanted = textOf(config, 'consent');
    return wanted === 'any' || wanted === consent;
  },
};

export const conversationResolved: TriggerType = {
  ...{ type: 'conversation_resolved', kinds: ['workflow'], isAwaitable: true },
  fields: [],
  values: () => [],
  matches: () => true,
};
