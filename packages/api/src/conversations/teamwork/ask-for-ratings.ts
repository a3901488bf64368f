import { newId } from '@app/database/new-id';
import { ratingButton, ratings, ratingTitle, ratingWords } from '@app/domain/conversations/teamwork/rating';
import { chooseLanguage } from '@app/domain/text/interface-language';
import type { FactConsumer, StoredFact } from '../../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { sendMessage } from '../sending/send-message.ts';
import { findInboxSettings } from './inbox-settings.ts';

/** A contact who is asked much later has forgotten. */
const USEFUL_MS = 15 * 60_000;

type Resolved = {
  conversationId: string;
  openedAt: Date;
  language: string | null;
  workspaceLanguage: string | null;
};

/**
 * Asks contacts how the help was, once for each time that their conversation was opened, when it is resolved. Nobody is asked who opted out or is
 * blocked, outside of the window, or whom nobody helped.
 */
export const askForRatings: FactConsumer = {
  name: 'ask-for-ratings',
  order: 'none',
  atDepthLimit: 'refuse',
  types: ['conversation.status_changed', 'conversations.changed'],
  async handle(page, facts, { db, logger, channelKinds }) {
    if (!channelKinds) return;
    const named = new Map(facts.flatMap((fact) => idsResolved(fact).map((id) => [id, fact] as const)));
    if (named.size === 0) return;
    const { rating } = await findInboxSettings(page);
    if (!rating.isEnabled) return;
    for (const resolved of await findResolved(page, [...named.keys()])) {
      const { conversationId, openedAt } = resolved;
      const language = chooseLanguage([resolved.language?.replaceAll('_', '-'), resolved.workspaceLanguage]);
      const key = newId();
      const scope = page.causedBy(named.get(conversationId)!); // it was looked for by its name
      const sent = await sendMessage(
        scope,
        { channelKinds, db },
        {
          to: { conversationId },
          message: {
            interactive: {
              body: rating.question || ratingWords[language].question,
              buttons: ratings
                .toReversed()
                .map((one) => ({ id: ratingButton(key, one), title: ratingTitle(language, one) })),
            },
          },
          ...{ isMarketing: false, purpose: 'automation', priority: 'bot' },
          key: `rating/${conversationId}/${openedAt.getTime()}`,
          giveUpAt: new Date(page.clock().getTime() + USEFUL_MS),
        },
      );
      if (sent.outcome === 'refused') {
        // A closed window, or a channel without buttons: then nobody is asked.
        logger?.info(
          { workspaceId: page.workspaceId, conversationId, code: sent.code },
          'a contact could not be asked for a rating',
        );
        continue;
      }
      if (sent.isNew)
        await scope.query(
          `UPDATE conversation_rounds SET asked_at = $4, rating_key = $5
            WHERE workspace_id = $1 AND conversation_id = $2 AND opened_at = $3 AND asked_at IS NULL`,
          [scope.workspaceId, conversationId, openedAt, page.clock(), key],
        );
    }
  },
};

function idsResolved({ type, subject, values }: StoredFact): string[] {
  if (values['status'] !== 'resolved') return [];
  if (type === 'conversation.status_changed') return subject === null ? [] : [subject];
  const ids = values['conversationIds'];
  return values['change'] === 'status' && Array.isArray(ids) ? ids.map(String) : [];
}

/** Those that are still resolved, with the time in which they were open last, of which nobody was asked yet. */
async function findResolved(scope: ReadScope, ids: readonly string[]): Promise<Resolved[]> {
  const { rows } = await scope.query<Resolved>(
    `SELECT c.id AS "conversationId", r.opened_at AS "openedAt", k.language, w.language AS "workspaceLanguage"
       FROM conversations c JOIN contacts k ON k.id = c.contact_id JOIN workspaces w ON w.id = c.workspace_id
       JOIN LATERAL (SELECT * FROM conversation_rounds r WHERE r.conversation_id = c.id ORDER BY r.opened_at DESC LIMIT 1) AS r ON true
      WHERE c.workspace_id = $1 AND c.id = ANY ($2::uuid[]) AND c.status = 'resolved' AND c.window_ends_at > $3
        AND k.status <> 'blocked' AND k.opted_out_at IS NULL AND r.resolved_at > $4 AND r.asked_at IS NULL AND r.first_answered_at IS NOT NULL
      ORDER BY c.contact_id, c.channel_id`,
    [scope.workspaceId, ids, scope.clock(), new Date(scope.clock().getTime() - USEFUL_MS)],
  );
  return rows;
}
