import { actorCaller } from '@app/domain/auth/caller';
import type { ConnectorReply } from '@app/domain/integrations/connector-kind';
import { sendMessage } from '../../conversations/sending/send-message.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { changeInNameOf } from '../../platform/system-work.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { deriveId } from '../../webhook-endpoints/derived-id.ts';
import { insertDeliveries } from '../../webhook-endpoints/enqueue-deliveries.ts';

const REFUSED_EVENT = 'integration.reply_refused';
/** In place of the code of an error: the files of a reply stay where they are. */
const FILES = 'files';
/** A post whose answer is missing is looked for at its next attempt; one that is older has begun no thread. */
const UNDER_WAY_MS = 600_000;

/**
 * Sends what people wrote in threads of a service to the customers of their conversations, by the one way to send. The vendor's id is the key: a call
 * that comes again sends nothing more. What cannot be sent is told in the thread. False: a post that may have begun the thread of a reply has not
 * been answered yet, so the vendor is to call again.
 */
export async function sendReplies(
  parts: ApiDependencies,
  { workspaceId, integrationId, name }: { workspaceId: string; integrationId: string; name: string },
  replies: readonly ConnectorReply[],
): Promise<boolean> {
  const caller = actorCaller('integration', { id: integrationId, name, workspaceId });
  let areKnown = true;
  for (const reply of replies)
    await changeInNameOf(parts, caller, async (scope) => {
      const found = await findConversation(scope, integrationId, reply);
      if (!found) {
        // Otherwise it is a thread about something else.
        if (await hasPostUnderWay(scope, integrationId)) areKnown = false;
        return;
      }
      // The text goes to the customer; that the files do not is said in the thread.
      if (reply.hasFiles) await tellRefused(scope, found, { reply, code: FILES });
      if (reply.text === '') return;
      const sent = await sendMessage(scope, parts, {
        ...{ to: { conversationId: found.conversationId }, message: { text: reply.text }, purpose: 'reply' },
        key: `integration/${integrationId}/${reply.id}`,
      });
      if (sent.outcome === 'refused') await tellRefused(scope, found, { reply, code: sent.code });
    });
  return areKnown;
}

type Found = { conversationId: string; contactId: string; endpointId: string };

async function findConversation(
  scope: ReadScope,
  integrationId: string,
  { target, thread }: ConnectorReply,
): Promise<Found | null> {
  const { rows } = await scope.query<Found>(
    `SELECT t.conversation_id AS "conversationId", c.contact_id AS "contactId", t.endpoint_id AS "endpointId"
       FROM connector_threads t
       JOIN webhook_endpoints e ON e.workspace_id = t.workspace_id AND e.id = t.endpoint_id
       JOIN conversations c ON c.workspace_id = t.workspace_id AND c.id = t.conversation_id
      WHERE t.workspace_id = $1 AND e.integration_id = $2 AND t.target = $3 AND t.thread = $4`,
    [scope.workspaceId, integrationId, target, thread],
  );
  return rows[0] ?? null;
}

async function hasPostUnderWay(scope: ReadScope, integrationId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    `SELECT FROM webhook_endpoints e
       JOIN webhook_deliveries d ON d.workspace_id = e.workspace_id AND d.endpoint_id = e.id AND d.status = 'waiting'
       JOIN webhook_attempts a ON a.workspace_id = d.workspace_id AND a.delivery_id = d.id
      WHERE e.workspace_id = $1 AND e.integration_id = $2 AND a.outcome IN ('begun', 'unknown') AND a.started_at > $3 LIMIT 1`,
    [scope.workspaceId, integrationId, new Date(scope.clock().getTime() - UNDER_WAY_MS)],
  );
  return rowCount !== 0;
}

/** Once for each reply and for its files: the id is made of that of the vendor. */
async function tellRefused(
  scope: WorkspaceScope,
  { conversationId, contactId, endpointId }: Found,
  { reply, code }: { reply: ConnectorReply; code: string },
): Promise<void> {
  const now = scope.clock();
  const id = deriveId(`${endpointId}/${reply.id}${code === FILES ? '/files' : ''}`);
  const body = { data: { code }, contactId, conversationId };
  await insertDeliveries(
    ...([scope, scope.workspaceId] as const),
    [
      {
        ...{
          id,
          endpoint_id: endpointId,
          fact_id: null,
          type: REFUSED_EVENT,
          occurred_at: now.toISOString(),
        },
        ...{ body: JSON.stringify(body), contact_ids: [contactId], is_manual: false },
      },
    ],
    now,
  );
}
