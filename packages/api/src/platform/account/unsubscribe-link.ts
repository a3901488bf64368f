import type { SummaryMailKind } from '@app/domain/notifications/summary';
import type { ApiDependencies } from '../request-context.ts';
import { readSignedId, signId } from './signed-id.ts';

export const UNSUBSCRIBE_PATH = '/api/profile/unsubscribe';

const useOf = (kind: SummaryMailKind) => `unsubscribe ${kind}`;

/** Ends the mails of one kind to one person, without a sign-in: it opens nothing else, and works for as long as the mail is kept. */
export function unsubscribeLink(
  { secrets, publicUrl }: Pick<ApiDependencies, 'secrets' | 'publicUrl'>,
  kind: SummaryMailKind,
  userId: string,
): string {
  return `${publicUrl}${UNSUBSCRIBE_PATH}/${kind}/${signId(secrets, useOf(kind), userId)}`;
}

/** Whose link it is; null for a guess. */
export function readUnsubscribe(
  { secrets }: Pick<ApiDependencies, 'secrets'>,
  kind: SummaryMailKind,
  token: string,
): string | null {
  return readSignedId(secrets, useOf(kind), token);
}
