import { inTransaction } from '@app/delivery/transaction';
import { releaseScheduled } from '@app/delivery/messages/release-scheduled';
import { tellAsDelivery } from '../../../src/platform/facts/tell-delivery.ts';
import type { ApiResponse } from '../../api-fixture.ts';
import { openArrivals } from '../../arrivals.ts';
import { said } from '../../arriving-events.ts';

export const PHONE = '+14155552671';
export const T = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;

export type ShownMessage = {
  id: string;
  type: string;
  text: string;
  state: string;
  content: Record<string, unknown> | null;
  error: { code: string } | null;
  sendAt: string | null;
  isTriedAgain: boolean;
  others: string[];
};

/** A conversation with somebody who wrote an hour ago, and what is done in it. */
export async function openReplies() {
  const arrivals = await openArrivals();
  const { admin, arrive, query, api } = arrivals;

  async function begin(occurredAt = T) {
    const hello = said({ phone: PHONE }, 'Hello', { occurredAt });
    await arrive(hello);
    const { items } = await (
      await admin.get('/api/conversations')
    ).json<{ items: { id: string; lastMessage: { id: string }; channelId: string }[] }>();
    return items[0]!;
  }
  const send = (id: string, message: object, more: { clientId?: string; key?: string } = {}) =>
    admin.post(
      `/api/conversations/${id}/messages`,
      { message, ...(more.clientId && { clientId: more.clientId }) },
      more.key,
    );
  const sent = async (id: string, message: object, more = {}) => {
    const response = await send(id, message, more);
    if (!response.ok) throw new Error(await response.text());
    return response.json<ShownMessage>();
  };
  const messagesOf = async (id: string) =>
    (await (await admin.get(`/api/conversations/${id}/messages`)).json<{ items: ShownMessage[] }>()).items;
  /** As an engine does it at that time. */
  const release = (now = Date.now()) =>
    releaseScheduled(
      api.db.systemPool,
      (workspaceId, work) =>
        inTransaction(api.db.systemPool, (client) =>
          work(client, (fact, cause) =>
            tellAsDelivery({ clock: () => new Date(now) })(client, workspaceId, fact, cause),
          ),
        ),
      {
        now,
        onFault: (error) => {
          throw error;
        },
      },
    );
  return { ...arrivals, begin, send, sent, messagesOf, release, query };
}

export const codeOf = async (response: ApiResponse) =>
  (await response.json<{ error: { code: string } }>()).error.code;
