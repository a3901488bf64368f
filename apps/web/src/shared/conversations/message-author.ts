import type { api } from '../api.ts';
import { t } from '../messages.ts';

type Item = Awaited<ReturnType<typeof api.conversations.listMessages>>['items'][number];
type Said = Pick<Extract<Item, { kind: 'message' }>, 'author' | 'campaign'>;

/** Who said it, in words; empty for the contact, whose name the head of the chat says. */
export function authorName({ author, campaign }: Said): string {
  if (author.kind === 'contact') return '';
  if (author.kind === 'campaign') return campaign?.name || t('chat.author.campaign');
  if (author.kind === 'system') return t('chat.author.system');
  return author.name || t(`chat.author.${author.kind}`);
}
