import { expectedWait, waitText } from '@app/domain/chatbot/handoff/expected-wait';
import type { BotSettings } from '@app/domain/chatbot/bot-settings';
import { businessTimeBetween } from '@app/domain/conversations/teamwork/business-time';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { findMessagingSettings } from '../../settings/messaging-settings.ts';

const RECENT_MS = 14 * 86_400_000;
const MOST_ANSWERS = 100;

/** What a customer who is handed over now hears about the wait; null where nothing is to be said, or nothing is known. */
export async function findWaitText(
  scope: ReadScope,
  settings: BotSettings,
  language: InterfaceLanguage,
): Promise<string | null> {
  if (!settings.tellsWaitingTime) return null;
  const now = scope.clock().getTime();
  const { rows } = await scope.query<{ opened_at: Date; first_answered_at: Date }>(
    `SELECT opened_at, first_answered_at FROM conversation_rounds
      WHERE workspace_id = $1 AND opened_at > $2 AND first_answered_at IS NOT NULL AND first_answer_by IS NOT NULL
      ORDER BY opened_at DESC LIMIT ${MOST_ANSWERS}`,
    [scope.workspaceId, new Date(now - RECENT_MS)],
  );
  const { businessHours } = await findMessagingSettings(scope);
  const answered = rows.map(({ opened_at: from, first_answered_at: to }) =>
    businessTimeBetween(businessHours, from.getTime(), to.getTime()),
  );
  return waitText(settings, expectedWait(answered, businessHours, now), language);
}
