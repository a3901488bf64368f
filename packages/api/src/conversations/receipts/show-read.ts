import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import type { Jobs } from '../../platform/jobs/enqueue-job.ts';
import type { ApiDependencies, RequestScopes } from '../../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findInboxSettings } from '../teamwork/inbox-settings.ts';

/** A platform takes the sign away by itself, the first of them after 25 seconds, and with our next message. */
const TYPING_SHOWN_MS = 20_000;
/** Nobody waits for the sign that something older was read. */
const OLDEST_DAYS = 30;

const payload = z.object({ conversationId: z.uuid() });

/** Shows somebody that their messages were read. What is read while one waits to be shown is shown with it. */
export const showReadToContact = defineJob({
  name: 'show-read',
  as: 'webhooks',
  payload,
  repeat: 'while-waiting',
  ...{ attempts: 4, pauseSeconds: 5, longestPauseSeconds: 60, timeoutSeconds: 60, usefulSeconds: 3_600 },
  ...{ atOnce: 4, atOnceOfOne: 2 },
  run: (parts, { payload: { conversationId } }) => show(parts, conversationId, { typing: false }),
});

/** Shows somebody that an answer is being written; a platform may show them with it that they were read. */
export const showTypingToContact = defineJob({
  name: 'show-typing',
  as: 'webhooks',
  payload,
  repeat: 'once',
  // A moment later it would be wrong.
  ...{ attempts: 1, pauseSeconds: 1, longestPauseSeconds: 1, timeoutSeconds: 15, usefulSeconds: 20 },
  ...{ atOnce: 4, atOnceOfOne: 2 },
  run: (parts, { payload: { conversationId } }) => show(parts, conversationId, { typing: true }),
});

/** In the transaction that marks messages as read. */
export async function enqueueRead(jobs: Jobs, scope: WorkspaceScope, conversationId: string): Promise<void> {
  if ((await findInboxSettings(scope)).sendReadReceipts)
    await jobs.enqueue(scope, showReadToContact, conversationId, { conversationId });
}

/** Whenever a tab says that somebody writes; the platform hears of it every twenty seconds at most, whoever writes in however many tabs. */
export async function enqueueTyping(
  jobs: Jobs,
  scope: WorkspaceScope,
  conversationId: string,
): Promise<void> {
  const { sendReadReceipts, showTyping } = await findInboxSettings(scope);
  if (!sendReadReceipts || !showTyping) return;
  const turn = turnOf(scope.clock().getTime());
  await jobs.enqueue(scope, showTypingToContact, `${conversationId} ${turn}`, { conversationId });
}

/** Within a turn the platform hears once that somebody writes. */
export function turnOf(now: number): number {
  return Math.floor(now / TYPING_SHOWN_MS);
}

type Parts = RequestScopes & Pick<ApiDependencies, 'channelKinds' | 'messageSender'>;
type Target = { channelId: string; kind: string; messageId: string; phone: string | null };

/** It is asked again at the last moment whether it may be shown: somebody may have been blocked, or the setting changed. */
async function show(
  { read, channelKinds, messageSender }: Parts,
  conversationId: string,
  { typing }: { typing: boolean },
): Promise<{ isShown: boolean }> {
  const target = await read(async (scope) => {
    const settings = await findInboxSettings(scope);
    const isWanted = settings.sendReadReceipts && (!typing || settings.showTyping);
    return isWanted ? findTarget(scope, conversationId, { typing }) : undefined;
  });
  if (!target) return { isShown: false };
  const { capabilities } = channelKinds.of(target);
  if (!capabilities.showsRead || (typing && !capabilities.showsTyping)) return { isShown: false };
  const channel = await messageSender.open(target.channelId);
  const answer = await channel.markRead?.({ id: target.messageId, phone: target.phone }, { typing });
  // A sign of writing is of no use later, and what the platform refuses is nobody's to mend.
  if (answer?.outcome === 'unreachable' && !typing) throw new PlatformAway();
  return { isShown: answer?.outcome === 'done' };
}

/** The last thing that the person said, of those that somebody has read; nothing is shown to whoever is blocked, nor through a number that may do nothing. */
async function findTarget(
  scope: ReadScope,
  conversationId: string,
  { typing }: { typing: boolean },
): Promise<Target | undefined> {
  const { rows } = await scope.query<Target>(
    `SELECT c.channel_id AS "channelId", ch.kind, m.provider_message_id AS "messageId", k.phone
       FROM conversations c JOIN contacts k ON k.id = c.contact_id AND k.status <> 'blocked'
       JOIN channels ch ON ch.id = c.channel_id AND ch.is_connected AND ch.stopped_for IS DISTINCT FROM 'everything'
       CROSS JOIN LATERAL (
         SELECT m.provider_message_id, m.occurred_at, m.is_unread FROM messages m
          WHERE m.contact_id = c.contact_id AND m.channel_id = c.channel_id AND m.direction = 'in' AND is_said(m)
            AND m.occurred_at > $3 AND (NOT m.is_unread OR $4)
          ORDER BY m.occurred_at DESC, m.id DESC LIMIT 1) AS m
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [
      ...[scope.workspaceId, conversationId],
      ...[new Date(scope.clock().getTime() - OLDEST_DAYS * 86_400_000), typing],
    ],
  );
  return rows[0];
}

class PlatformAway extends Error {
  override name = 'PlatformAway';
}
