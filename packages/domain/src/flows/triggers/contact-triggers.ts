import { plain, UNSPACED } from '../../chatbot/match-keywords.ts';
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
  ...{ type: 'message_received', kinds: ['workflow'], isAwaitable: true },
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
    const said = plain(typeof values['text'] === 'string' ? values['text'] : '');
    return listOfTexts(config, 'words')
      .map(plain)
      .some((words) => matchesWords(match, said, words));
  },
};

/**
 * Compares as the keywords of the bot do: upper case, accents and the digits of other scripts make no difference. `contains` and `starts_with` look at
 * whole words (`art` is not in `start`), except in scripts that put no space between words.
 */
function matchesWords(match: string, said: string, words: string): boolean {
  if (words === '') return false;
  if (match === 'is') return said === words;
  if (UNSPACED.test(words)) return match === 'starts_with' ? said.startsWith(words) : said.includes(words);
  for (let at = said.indexOf(words); at >= 0; at = said.indexOf(words, at + 1)) {
    if (match === 'starts_with' && at > 0) return false;
    if (!ENDS_IN_WORD.test(said.slice(0, at)) && !BEGINS_IN_WORD.test(said.slice(at + words.length)))
      return true;
  }
  return false;
}

/** Letters with the signs that some scripts write on them, and digits; what chooses the picture of an emoji is none. */
const ENDS_IN_WORD = /(?:[\p{L}\p{N}]|(?![\ufe00-\ufe0f])\p{M})$/u;
const BEGINS_IN_WORD = /^(?:[\p{L}\p{N}]|(?![\ufe00-\ufe0f])\p{M})/u;

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
