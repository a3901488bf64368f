import { isRecord, parseJson } from '../json-reading.ts';

/** What says nothing of a person: kinds, states, times, codes, and what is ours. */
const plain = new Set([
  ...[
    'object',
    'field',
    'type',
    'status',
    'event',
    'messaging_product',
    'timestamp',
    'time',
    'expiration_timestamp',
  ],
  ...[
    'code',
    'title',
    'category',
    'pricing_model',
    'billable',
    'conversation_category',
    'reason',
    'decision',
  ],
  ...[
    'display_phone_number',
    'phone_number_id',
    'mime_type',
    'current_limit',
    'old_limit',
    'new_quality_score',
  ],
  ...[
    'direction',
    'action',
    'message_template_name',
    'message_template_language',
    'message_template_id',
    'ban_state',
    'preference',
  ],
]);
/** Of a preference. */
const choices: readonly unknown[] = ['stop', 'resume', 'signup'];
const BLANK = '•••';
const DEEPEST = 12;

/** A body without anything that people wrote or are called; ids of messages hold numbers of people and go too. */
export function outlineWebhook(body: Uint8Array): string {
  const parsed = parseJson(Buffer.from(body).toString('utf8'));
  return parsed === undefined ? '' : JSON.stringify(blank(parsed, '', 0), null, 1);
}

function blank(value: unknown, key: string, depth: number): unknown {
  if (depth > DEEPEST) return BLANK;
  if (Array.isArray(value)) return value.map((item) => blank(item, key, depth + 1));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, blank(inner, name, depth + 1)]),
    );
  const isPlain = plain.has(key) || (key === 'value' && choices.includes(value));
  return value === null || typeof value === 'boolean' || isPlain ? value : BLANK;
}
