import type { ShownLine } from '@app/domain/conversations/shown-message';
import { t } from '../messages.ts';

/** The one line of a message: its own words, with the kind before them where they alone do not tell it. */
export function sayLine({ kind, text }: ShownLine): string {
  if (kind === 'text') return text;
  if (kind === 'reaction') return t('conversations.line.reaction', { emoji: text });
  const name = t(`conversations.line.${kind}`);
  return text === '' ? name : `${name}: ${text}`;
}
