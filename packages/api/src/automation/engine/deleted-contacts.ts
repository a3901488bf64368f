import { wakeFlows } from '@app/flows/flow-inputs';
import { runClasses } from '@app/flows/flow-host';
import { KEPT_FOR_MS } from '../../contacts/deleted-contacts.ts';
import type { FactConsumer } from '../../platform/facts/fact-consumer.ts';

/**
 * Has the engine look at runs of deleted contacts as soon as the deletion cannot be taken back: they end then, and say why. A contact who is brought
 * back before goes on.
 */
export const automationDeletions: FactConsumer = {
  name: 'automation-deletions',
  order: 'none',
  atDepthLimit: 'hear',
  types: ['contact.deleted', 'contacts.deleted'],
  async handle(page, facts) {
    for (const { type, subject, occurredAt } of facts) {
      const until = new Date(new Date(occurredAt).getTime() + KEPT_FOR_MS);
      const deleted =
        type === 'contact.deleted'
          ? 'SELECT $2::uuid'
          : 'SELECT contact_id FROM deleted_contacts WHERE workspace_id = $1 AND removal_id = $2';
      await page.query(
        `UPDATE flow_runs SET due_at = least(coalesce(due_at, $3), $3)
          WHERE id IN (SELECT id FROM flow_runs WHERE workspace_id = $1 AND status = 'running' AND contact_id IN (${deleted}) ORDER BY id FOR NO KEY UPDATE)`,
        [page.workspaceId, subject, until],
      );
    }
    await wakeFlows(page, runClasses.bulk);
  },
};
