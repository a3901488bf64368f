import type { PersonData } from '../platform/person-data/person-data.ts';
import { readByTime } from '../platform/person-data/read-section.ts';

export const chatbotPersonData: PersonData = {
  tables: {
    bot_answers: {
      section: 'chatbot',
      read: readByTime(
        `SELECT decided_at AS at, message_id AS id, message_id AS "messageId", decided_at AS "decidedAt", rule, flow_name AS flow, keyword, intent,
                confidence, handoff, model
           FROM bot_answers WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[]) AND (decided_at, message_id) > ($3::timestamptz, $4::uuid)
          ORDER BY at, id LIMIT $5`,
        ({ ids }) => ids,
      ),
    },
    ai_calls: { leftOut: 'times and figures of calls, without a word' },
  },
  async erase(scope, { ids }) {
    await scope.query('DELETE FROM bot_answers WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])', [
      scope.workspaceId,
      ids,
    ]);
    // What was spent stays counted.
    await scope.query(
      'UPDATE ai_calls SET contact_id = NULL, channel_id = NULL WHERE workspace_id = $1 AND contact_id = ANY ($2::uuid[])',
      [scope.workspaceId, ids],
    );
  },
  // An answer belongs to its message, which goes along; the contact that it names is the one who wrote it.
  merge: null,
  unmerge: null,
};
