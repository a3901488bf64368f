import { conversationLimits } from '../conversations/conversation-status.ts';
import { compileRunMessage, type RecipientFacts, type RunVariable } from '../delivery/run-message.ts';
import { findVariables } from '../messaging/template-variables.ts';

/** `shortText` is what a text may have beside a file or above buttons. */
export const quickReplyLimits = {
  shortcut: 32,
  title: 100,
  text: conversationLimits.text,
  shortText: 1024,
  buttons: 3,
  button: 20,
  folder: 50,
  /** That everybody sees, and again as many of each person. */
  replies: 500,
} as const;

/** What is typed behind the slash: letters, digits, `-` and `_`, in small letters and without blanks; undefined when it is something else. */
export function readShortcut(typed: string): string | undefined {
  const shortcut = typed.normalize('NFC').trim().replace(/^\//, '').trim().replace(/\s+/g, '-').toLowerCase();
  if (shortcut.length > quickReplyLimits.shortcut) return undefined;
  return /^[\p{L}\p{N}\p{M}_-]+$/u.test(shortcut) ? shortcut : undefined;
}

/** How long the text may be. */
export function longestText(reply: { hasMedia: boolean; buttons: readonly string[] }): number {
  return reply.hasMedia || reply.buttons.length > 0 ? quickReplyLimits.shortText : quickReplyLimits.text;
}

type Found = { shortcut: string; title: string; text: string; used: number };

/** Those that fit what was typed behind the slash: by shortcut first, then by title, then by text; what is used often before the rest. */
export function rankQuickReplies<Reply extends Found>(replies: readonly Reply[], typed: string): Reply[] {
  const words = typed.normalize('NFC').trim().toLowerCase();
  return replies
    .map((reply) => ({ reply, rank: rankOf(reply, words) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        b.reply.used - a.reply.used ||
        (a.reply.shortcut < b.reply.shortcut ? -1 : a.reply.shortcut > b.reply.shortcut ? 1 : 0),
    )
    .map(({ reply }) => reply);
}

const NO_MATCH = 5;

function rankOf({ shortcut, title, text }: Found, words: string): number {
  if (words === '') return 0;
  if (shortcut === words) return 0;
  if (shortcut.startsWith(words)) return 1;
  if (shortcut.includes(words)) return 2;
  if (title.toLowerCase().includes(words)) return 3;
  return text.toLowerCase().includes(words) ? 4 : NO_MATCH;
}

/** Whom and what a text is filled with. Custom fields are named by their key. */
export type QuickReplyFacts = {
  person: RecipientFacts;
  customFields: readonly {
    id: string;
    key: string;
    type: Extract<RunVariable, { customField: string }>['type'];
  }[];
  agentName: string;
  businessName: string;
  /** In which values are written out. */
  language: string;
};

/** The names that every text knows, besides the keys of custom fields. */
export const quickReplyVariables = ['name', 'phone', 'email', 'agent', 'business'] as const;

/** What stands for each variable of the text; null where nothing is known. */
export function readQuickReplyValues(text: string, facts: QuickReplyFacts): Map<string, string | null> {
  return new Map(findVariables(text).map((name) => [name, valueOf(name, facts)]));
}

function valueOf(name: string, { person, customFields, agentName, businessName, language }: QuickReplyFacts) {
  if (name === 'agent') return agentName.trim() || null;
  // A greeting to a number is no greeting, unlike in a campaign.
  if (name === 'name') return person.name.trim() || null;
  const field = customFields.find(({ key }) => key === name);
  const isKnown = field !== undefined || quickReplyVariables.some((known) => known === name);
  if (!isKnown) return null;
  const written = `{{${name}}}`;
  const filled = compileRunMessage({
    content: { type: 'text', body: written },
    variables: field ? { [name]: { customField: field.id, type: field.type } } : {},
    businessName,
    language,
  })(person);
  return filled.type !== 'text' || filled.body === written ? null : filled.body.trim() || null;
}

/** The text with the values that are known; what nobody knows stays as it is written. */
export function fillQuickReply(text: string, values: ReadonlyMap<string, string | null>): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (raw, name: string) => values.get(name) ?? raw);
}
