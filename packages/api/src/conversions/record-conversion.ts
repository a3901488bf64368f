import { newId } from '@app/database/new-id';
import { conversionLimits, type ConversionSource } from '@app/domain/conversions/conversion-settings';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

export type NewConversion = {
  contactId: string;
  source: ConversionSource;
  externalId: string;
  name: string;
  /** A decimal number with its currency. */
  value: { amount: number | string; currency: string } | null;
  occurredAt: Date;
};

/**
 * Records a conversion with the last click of its contact before it, within the longest window. One that is known by its source and id stays as it is: `isNew`
 * is false. Emits `conversion.recorded`.
 */
export async function recordConversion(
  scope: WorkspaceScope,
  { contactId, source, externalId, name, value, occurredAt }: NewConversion,
): Promise<{ id: string; isNew: boolean }> {
  const { workspaceId } = scope;
  const { rows } = await scope.query<{ id: string; campaignId: string | null }>(
    `INSERT INTO conversions (id, workspace_id, contact_id, source, external_id, name, value, currency, occurred_at, received_at,
                              clicked_at, link_id, campaign_id, channel_id, template_id, content_id)
     SELECT $3, $1, $2, $4, $5, $6, $7, $8, $9, $10, k.clicked_at, k.link_id, k.campaign_id, k.channel_id, k.template_id, k.content_id
       FROM (SELECT) AS one LEFT JOIN LATERAL (
         SELECT c.clicked_at, c.link_id, c.campaign_id, l.channel_id, l.template_id, l.content_id
           FROM link_clicks c JOIN counted_links l ON l.id = c.link_id
          WHERE c.workspace_id = $1 AND c.contact_id = $2 AND c.clicked_at <= $9
            AND c.clicked_at > $9::timestamptz - make_interval(days => ${conversionLimits.windowDays.most})
          ORDER BY c.clicked_at DESC, c.id DESC LIMIT 1) AS k ON true
     ON CONFLICT (workspace_id, source, external_id) DO NOTHING RETURNING id, campaign_id AS "campaignId"`,
    [
      ...[workspaceId, contactId, newId(scope.clock().getTime()), source, externalId, name],
      ...[value?.amount ?? null, value?.currency ?? null, occurredAt, scope.clock()],
    ],
  );
  const [added] = rows;
  if (added) {
    const { id, campaignId } = added;
    await scope.emit({
      ...{
        type: 'conversion.recorded',
        subject: contactId,
        values: { conversionId: id, source, campaignId },
      },
    });
    return { id, isNew: true };
  }
  const { rows: known } = await scope.query<{ id: string }>(
    'SELECT id FROM conversions WHERE workspace_id = $1 AND source = $2 AND external_id = $3',
    [workspaceId, source, externalId],
  );
  return { id: known[0]!.id, isNew: false }; // the conflict was with it
}
