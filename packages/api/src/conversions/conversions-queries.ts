import type { conversion } from '@app/contracts/conversions/conversions-contract';
import { isAttributedSql, readRevenueCurrency } from '@app/database/conversions/count-conversions';
import { readConversionSettings } from '@app/database/conversions/conversion-settings';
import type { ConversionSource } from '@app/domain/conversions/conversion-settings';
import type { z } from 'zod';
import { cutPage, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

export type Conversion = z.infer<typeof conversion>;
type Row = {
  id: string;
  contactId: string | null;
  contactName: string | null;
  source: ConversionSource;
  externalId: string;
  name: string;
  value: string | null;
  currency: string | null;
  occurredAt: Date;
  isCancelled: boolean;
  clickedAt: Date | null;
  campaignId: string | null;
  key: string;
};

/** `attributed` says whether it counts for the click before it (SQL). */
const columns = (attributed: string) =>
  `v.id, v.contact_id AS "contactId", k.name AS "contactName", v.source, v.external_id AS "externalId", v.name, v.value, v.currency,
   v.occurred_at AS "occurredAt", v.cancelled_at IS NOT NULL AS "isCancelled", ${timeKey('v.occurred_at')} AS key,
   CASE WHEN ${attributed} THEN v.clicked_at END AS "clickedAt", CASE WHEN ${attributed} THEN v.campaign_id END AS "campaignId"`;

export async function findConversion(scope: ReadScope, id: string): Promise<Conversion> {
  const { windowDays } = await readConversionSettings(scope, scope.workspaceId);
  const { rows } = await scope.query<Row>(
    `SELECT ${columns(isAttributedSql('$3::int'))} FROM conversions v LEFT JOIN contacts k ON k.id = v.contact_id WHERE v.workspace_id = $1 AND v.id = $2`,
    [scope.workspaceId, id, windowDays],
  );
  const { contactName: _, ...found } = present(rows[0]!, await readRevenueCurrency(scope, scope.workspaceId)); // written in this transaction
  return found;
}

export async function listConversions(
  scope: ReadScope,
  {
    campaignId,
    limit,
    cursor,
  }: { campaignId?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const { workspaceId } = scope;
  const { windowDays } = await readConversionSettings(scope, workspaceId);
  const currency = await readRevenueCurrency(scope, workspaceId);
  const after = readTimeCursor(cursor);
  const attributed = isAttributedSql('$2::int');
  const { rows } = await scope.query<Row>(
    `SELECT ${columns(attributed)} FROM conversions v LEFT JOIN contacts k ON k.id = v.contact_id AND k.workspace_id = v.workspace_id
      WHERE v.workspace_id = $1 AND ($3::uuid IS NULL OR v.campaign_id = $3 AND ${attributed})
        AND ($4::timestamptz IS NULL OR (v.occurred_at, v.id) < ($4::timestamptz, $5::uuid))
      ORDER BY v.occurred_at DESC, v.id DESC LIMIT $6`,
    [workspaceId, windowDays, campaignId ?? null, after?.key ?? null, after?.id ?? null, limit + 1],
  );
  const page = cutPage(rows, limit, ({ key, id }) => ({ key, id }));
  return { ...page, items: page.items.map((row) => present(row, currency)) };
}

function present({ value, occurredAt, clickedAt, ...row }: Row, currency: string) {
  const { id, contactId, contactName, source, externalId, name, isCancelled, campaignId } = row;
  return {
    ...{ id, contactId, contactName, source, externalId, name, isCancelled, campaignId },
    currency: row.currency,
    value: value === null ? null : Number(value),
    isInRevenue: value !== null && row.currency === currency && !row.isCancelled,
    occurredAt: occurredAt.toISOString(),
    clickedAt: clickedAt?.toISOString() ?? null,
  };
}
