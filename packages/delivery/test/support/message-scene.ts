import { newId } from '@app/database/new-id';
import { formatMessageTag } from '@app/domain/conversations/message-tag';
import { applyMessageStatuses } from '../../src/messages/apply-message-statuses.ts';
import { enqueueMessage, type NewMessage } from '../../src/messages/enqueue-message.ts';
import { inTransaction } from '../../src/transaction.ts';
import { openDeliveryScene, type DeliveryScene } from './delivery-scene.ts';

export type StoredMessage = {
  id: string;
  text: string;
  state: string;
  attempt: number;
  error_code: string | null;
  no: number;
  contact_id: string | null;
};

type ReportedStatus = 'sent' | 'delivered' | 'read' | 'failed';
type Applied = Awaited<ReturnType<typeof applyMessageStatuses>>;

export type MessageScene = DeliveryScene & {
  /** A contact whose window is open, with a conversation. */
  addConversation(channelId?: string): Promise<string>;
  leave(contactId: string | null, text: string, more?: Partial<NewMessage>): Promise<string>;
  /** What the platform says of the first try of a message. */
  report(no: number, status: ReportedStatus, at: number, workspaceId?: string): Promise<Applied>;
  read(id: string): Promise<StoredMessage>;
  readAll(): Promise<StoredMessage[]>;
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
};

/** A workspace with a connected channel, contacts that may be answered, and messages to them. */
export async function openMessageScene(): Promise<MessageScene> {
  const scene = await openDeliveryScene();
  const pool = scene.database.systemPool;
  await pool.query('UPDATE channels SET is_connected = true');
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  const COLUMNS = 'id, text, state, attempt, error_code, send_no::integer AS no, contact_id';
  return Object.assign(scene, {
    query,
    async addConversation(channelId = scene.channelId) {
      const [contactId] = await scene.addContacts(1);
      await query(`UPDATE contacts SET window_expires_at = now() + interval '5 hours' WHERE id = $1`, [
        contactId,
      ]);
      await query(
        `INSERT INTO conversations (id, workspace_id, contact_id, channel_id, last_activity_at, window_ends_at)
         VALUES ($1, $2, $3, $4, now(), now() + interval '5 hours')`,
        [newId(), scene.workspaceId, contactId, channelId],
      );
      return contactId!;
    },
    leave: async (contactId: string | null, text: string, more: Partial<NewMessage> = {}) =>
      inTransaction(pool, async (client) => {
        const { id } = await enqueueMessage(client, {
          ...{
            id: newId(),
            workspaceId: scene.workspaceId,
            channelId: scene.channelId,
            contactId,
            address: null,
          },
          ...{ content: { type: 'text', body: text }, text, purpose: 'reply', isMarketing: false },
          ...{ needsWindow: true, author: { kind: 'person', id: null, name: 'Ann' }, key: null, cause: null },
          ...{ at: new Date(), giveUpAt: null },
          ...more,
        });
        return id;
      }),
    report: (no: number, status: ReportedStatus, at: number, workspaceId?: string) =>
      inTransaction(pool, (client) =>
        applyMessageStatuses(
          client,
          [
            {
              ...{
                tag: formatMessageTag({ no, attempt: 1 }),
                status,
                occurredAt: at,
                messageId: `wamid.${no}`,
              },
              ...{ error: status === 'failed' ? { code: '131026', title: 'No' } : null, action: null },
              workspaceId: workspaceId ?? scene.workspaceId,
            },
          ],
          Date.now(),
        ),
      ),
    async read(id: string) {
      const [message] = await query<StoredMessage>(`SELECT ${COLUMNS} FROM messages WHERE id = $1`, [id]);
      if (!message) throw new Error(`There is no message ${id}`);
      return message;
    },
    readAll: () =>
      query<StoredMessage>(`SELECT ${COLUMNS} FROM messages WHERE send_no IS NOT NULL ORDER BY send_no`),
  });
}
