import type { RecordError } from '@app/domain/integrations/integration-rules';
import { cutPage, readCursor, readTimeCursor, timeKey } from '../platform/keyset.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import type { IntegrationRow } from './integration-rows.ts';

type PageInput = { limit: number; cursor?: string | undefined };
type Mapped = Pick<IntegrationRow, 'id' | 'mapping'>;

/** The fields of the service that say who a record is of. */
const namesOf = ({ mapping }: Mapped): string[] =>
  ['name', 'phone', 'email'].map((name) => mapping.find(({ ours }) => ours === name)?.theirs ?? name);

/** Records that could not be exchanged, the newest first. */
export async function listErrors(scope: ReadScope, integration: Mapped, { limit, cursor }: PageInput) {
  const after = readTimeCursor(cursor);
  const { rows } = await scope.query<{
    id: string;
    side: 'in' | 'out';
    external_id: string | null;
    contact_id: string | null;
    name: string | null;
    phone: string | null;
    email: string | null;
    error: RecordError;
    error_detail: string | null;
    tries: number;
    at: Date;
    time_key: string;
  }>(
    `SELECT r.id, r.error_side AS side, r.external_id, c.id AS contact_id, coalesce(c.name, r.remote_values->>$6) AS name,
            coalesce(c.phone, r.remote_values->>$7) AS phone, coalesce(c.email, r.remote_values->>$8) AS email,
            r.error, r.error_detail, r.tries, r.error_at AS at, ${timeKey('r.error_at')} AS time_key
       FROM integration_records r LEFT JOIN contacts c ON c.workspace_id = r.workspace_id AND c.id = r.contact_id
      WHERE r.workspace_id = $1 AND r.integration_id = $2 AND r.error IS NOT NULL
        AND ($3::timestamptz IS NULL OR (r.error_at, r.id) < ($3, $4::uuid))
      ORDER BY r.error_at DESC, r.id DESC LIMIT $5`,
    [
      ...[scope.workspaceId, integration.id, after?.key ?? null, after?.id ?? null, limit + 1],
      ...namesOf(integration),
    ],
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ time_key: key, id }) => ({ key, id }));
  return {
    items: items.map(({ external_id: externalId, contact_id: contactId, error_detail: detail, ...row }) => ({
      ...{ id: row.id, side: row.side, externalId, contactId, name: row.name ?? '', phone: row.phone },
      ...{ email: row.email, error: row.error, detail, tries: row.tries, at: row.at.toISOString() },
    })),
    nextCursor,
  };
}

/** Records that wait for room in the plan, in the order in which they come in. */
export async function listHeld(scope: ReadScope, integration: Mapped, { limit, cursor }: PageInput) {
  const after = readCursor(cursor);
  const { rows } = await scope.query<{
    id: string;
    externalId: string;
    name: string | null;
    phone: string | null;
    email: string | null;
  }>(
    `SELECT id, external_id AS "externalId", remote_values->>$5 AS name, remote_values->>$6 AS phone, remote_values->>$7 AS email
       FROM integration_records
      WHERE workspace_id = $1 AND integration_id = $2 AND is_held AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4`,
    [scope.workspaceId, integration.id, after?.id ?? null, limit + 1, ...namesOf(integration)],
  );
  const { items, nextCursor } = cutPage(rows, limit, ({ id }) => ({ key: '', id }));
  return { items: items.map((row) => ({ ...row, name: row.name ?? '' })), nextCursor };
}
