import { lockConversations } from '../../conversations/bot-states.ts';
import type { FactConsumer, StoredFact } from '../../platform/facts/fact-consumer.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { setBotStatus } from '../bot-conversations.ts';
import { findBotSettings } from '../bot-settings.ts';

/** A member who writes in the middle of a dialogue takes it over: the bot would talk between the two. Replies from a thread of a service are of members, too. */
export const heedAgents: FactConsumer = {
  name: 'chatbot-agents',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['message.queued'],
  async handle(page, facts) {
    const ofMembers = facts.filter(({ actor: { kind } }) => kind === 'person' || kind === 'integration');
    if (ofMembers.length === 0 || !(await findBotSettings(page)).isEnabled) return;
    const found = await findTalks(page, ofMembers);
    await lockConversations(page, [...found.values()]);
    for (const fact of ofMembers) {
      const conversationId = fact.subject === null ? undefined : found.get(fact.subject);
      if (conversationId) await setBotStatus(page.causedBy(fact), { conversationId, status: 'waiting' });
    }
  },
};

/** By their replies, the conversations that the bot has now, and had when they wrote. */
async function findTalks(scope: ReadScope, facts: readonly StoredFact[]): Promise<Map<string, string>> {
  const { rows } = await scope.query<{ message: string; conversation: string }>(
    `SELECT m.id AS message, c.id AS conversation
       FROM messages m JOIN conversations c ON c.workspace_id = m.workspace_id AND c.contact_id = m.contact_id AND c.channel_id = m.channel_id
      WHERE m.workspace_id = $1 AND m.id = ANY ($2::uuid[]) AND m.purpose = 'reply' AND c.bot_state->>'status' = 'active'
        AND m.occurred_at >= to_timestamp((c.bot_state->>'since')::float8 / 1000)`,
    [scope.workspaceId, facts.flatMap(({ subject }) => subject ?? [])],
  );
  return new Map(rows.map(({ message, conversation }) => [message, conversation]));
}
