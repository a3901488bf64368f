import type { FactConsumer } from '../platform/facts/fact-consumer.ts';

/** So long changes are gathered before they are sent. */
const GATHER_SECONDS = 5;

/** A connection in real time sends what was changed here within seconds. What a connection brought is no news to it. */
export const followContacts: FactConsumer = {
  name: 'integrations',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['contact.created', 'contact.updated', 'contact.consent_recorded', 'contacts.tags_changed'],
  async handle(scope, facts) {
    if (facts.every(({ actor }) => actor.kind === 'integration')) return;
    await scope.query(
      // Without a time while a run is under way: it may have passed the contact.
      `UPDATE integrations SET next_run_at = least(next_run_at, $2::timestamptz + $3 * interval '1 second')
        WHERE workspace_id = $1 AND frequency = 'realtime' AND status = 'connected' AND is_started AND mapping <> '[]'::jsonb`,
      [scope.workspaceId, scope.clock(), GATHER_SECONDS],
    );
  },
};
