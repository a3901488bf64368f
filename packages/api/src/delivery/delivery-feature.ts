import { outcomeCodeSql, outcomeSql } from '@app/database/campaigns/recipient-outcome';
import { dropEmptyPartitions } from '@app/delivery/drop-empty-partitions';
import {
  eraseRecipients,
  findEarlierContacts,
  giveBackRecipients,
  moveRecipients,
  type MovedRecipient,
} from '@app/delivery/recipients/recipients-of-people';
import { countRetryable } from '@app/delivery/retryable-runs';
import { lockRecipients } from '@app/delivery/recipients/lock-recipients';
import { noteLargeCampaigns, noteLastMessages } from './note-last-messages.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { ServerFeature } from '../platform/features/server-feature.ts';
import { phonesOf, type PersonData } from '../platform/person-data/person-data.ts';
import { readAtOnce } from '../platform/person-data/read-section.ts';

type Moved = { recipients: readonly MovedRecipient[] };

const personData: PersonData = {
  tables: {
    delivery_recipients: {
      section: 'campaignMessages',
      read: readAtOnce(
        `SELECT k.name AS campaign, r.address AS "sentTo", r.language, coalesce(r.variant, run.winner) AS variant,
                ${outcomeSql} AS status,
                r.accepted_at AS "acceptedAt", r.sent_at AS "sentAt", r.delivered_at AS "deliveredAt", r.read_at AS "readAt",
                r.failed_at AS "failedAt", ${outcomeCodeSql} AS "errorCode", CASE WHEN ${outcomeCodeSql} IS NOT NULL THEN r.error_detail END AS "errorDetail",
                r.provider_message_id AS "platformMessageId", run.message
           FROM delivery_recipients r JOIN delivery_runs run USING (run_no) LEFT JOIN campaigns k ON k.id = run.campaign_id
          WHERE r.workspace_id = $1 AND r.contact_id = ANY ($2::uuid[]) ORDER BY r.run_no, r.seq`,
        ({ ids }) => [ids],
      ),
    },
  },
  lock: async (scope, contactIds) => void (await lockRecipients(scope, scope.workspaceId, contactIds)),
  identify: async (scope, person) => ({
    ids: await findEarlierContacts(scope, { workspaceId: scope.workspaceId, phones: phonesOf(person) }),
  }),
  erase: (scope, person) =>
    eraseRecipients(scope, {
      ...{ workspaceId: scope.workspaceId, contactIds: person.ids, phones: phonesOf(person) },
    }),
  merge: async (scope, merge) => ({
    recipients: await moveRecipients(scope, { workspaceId: scope.workspaceId, ...merge }),
  }),
  unmerge: (scope, _, moved) => giveBackRecipients(scope, (moved as Partial<Moved>).recipients ?? []), // its own, from `merge`
};

/** Nothing is reported of a message after so long. */
const CHARGES_KEPT = '3 months';

/** Months go last, and only where there is one are the rows of all messages looked through. */
async function deleteCharges({ db: { systemPool } }: Pick<ApiDependencies, 'db'>): Promise<void> {
  const isOld = `month < now() - interval '${CHARGES_KEPT}'`;
  const { rowCount } = await systemPool.query(`SELECT FROM budget_months WHERE ${isOld} LIMIT 1`);
  if (rowCount === 0) return;
  await systemPool.query(`DELETE FROM budget_charges WHERE ${isOld}`);
  await systemPool.query(`DELETE FROM budget_returns WHERE ${isOld}`);
  await systemPool.query(`DELETE FROM budget_months WHERE ${isOld}`);
}

export const deliveryFeature = {
  name: 'delivery',
  personData,
  upkeep: {
    often: [({ db }) => countRetryable(db.systemPool)],
    seldom: [deleteCharges, ({ db }) => dropEmptyPartitions(db.systemPool).then(() => undefined)],
  },
  schedules: [noteLastMessages, noteLargeCampaigns],
} satisfies ServerFeature;
