import type { Cause } from '@app/domain/events/fact-cause';
import type { NewFact } from '@app/domain/events/fact-catalogue';
import type { SqlClient } from '../sql-client.ts';
import type { OwnMessage } from './claim-message.ts';
import type { MessageOutcome } from './message-outcome.ts';

/** Tells a fact of the message's workspace in the transaction that is open, with what led to the message. */
export type EmitFact = (fact: NewFact, cause: Cause | null) => Promise<void>;

type Ended = Exclude<MessageOutcome, { to: 'queued' }>;
type Told = Pick<OwnMessage, 'id' | 'channelId' | 'contactId' | 'purpose' | 'cause'>;

/** Says what became of a message; of a test message what somebody who tries a channel wants to know. */
export async function emitMessage(
  client: SqlClient,
  message: Told,
  { outcome, emit }: { outcome: Ended; emit: EmitFact },
): Promise<void> {
  if (message.purpose === 'test') {
    if (outcome.to === 'accepted') return;
    const types = {
      refused: 'test_message.refused',
      unknown: 'test_message.lost',
      not_sent: 'test_message.not_sent',
    } as const;
    return emit({ type: types[outcome.to], subject: message.channelId, values: {} }, message.cause);
  }
  const { id, contactId, channelId, cause } = message;
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM conversations WHERE contact_id = $1 AND channel_id = $2',
    [contactId, channelId],
  );
  const values = { conversationId: rows[0]?.id ?? null, contactIds: contactId === null ? [] : [contactId] };
  if (outcome.to === 'accepted') return emit({ type: 'message.sent', subject: id, values }, cause);
  if (outcome.to === 'unknown') return emit({ type: 'message.unknown', subject: id, values }, cause);
  return emit({ type: 'message.failed', subject: id, values: { ...values, code: outcome.code } }, cause);
}
