import type { ConnectorItemStatus, ConnectorItemType } from '@app/domain/integrations/connector-items';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';

const MOST = 10;

type Row = {
  id: string;
  kind: string;
  type: ConnectorItemType;
  title: string;
  status: ConnectorItemStatus;
  amount: string | null;
  currency: string | null;
  url: string | null;
  at: Date;
  starts_at: Date | null;
};

/** The newest orders, checkouts and bookings of a contact. */
export async function listItems(
  scope: ReadScope,
  { connectorKinds }: Pick<ApiDependencies, 'connectorKinds'>,
  contactId: string,
) {
  const { rows } = await scope.query<Row>(
    `SELECT t.id, i.kind, t.type, t.title, t.status, t.amount::text, t.currency, t.url, t.occurred_at AS at, t.starts_at
       FROM integration_items t JOIN integrations i ON i.workspace_id = t.workspace_id AND i.id = t.integration_id
      WHERE t.workspace_id = $1 AND t.contact_id = $2 ORDER BY t.occurred_at DESC, t.id LIMIT ${MOST}`,
    [scope.workspaceId, contactId],
  );
  return rows.map(({ kind, at, starts_at: startsAt, ...row }) => ({
    ...row,
    service: connectorKinds.find(kind)?.title ?? kind,
    at: at.toISOString(),
    startsAt: startsAt?.toISOString() ?? null,
  }));
}
