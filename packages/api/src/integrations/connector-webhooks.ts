import type { Hono } from 'hono';
import { newId } from '@app/database/new-id';
import type { ConnectorItem } from '@app/domain/integrations/connector-items';
import { findHomeCountry } from '../contacts/home-country.ts';
import { SMALL_BODY } from '../platform/http-edge/body-rules.ts';
import { openBody } from '../platform/http-edge/read-body.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { openFields } from '../platform/stored-credentials.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../platform/system-work.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { findIntegration, type IntegrationRow } from './integration-rows.ts';
import { storeItems } from './items/store-items.ts';
import { sendReplies } from './events/send-replies.ts';
import { startRun } from './sync/start-run.ts';

/** A vendor sends at most so many events at once; more is read by the next sync. */
const MOST_IDS = 1_000;

/**
 * `POST /webhooks/{kind}/{workspace slug}` of connectors. It says which records changed; what they are now is asked of the vendor, so that a call that
 * comes late, twice or out of order does no harm. Other kinds go on to the channels.
 */
export function mountConnectorWebhooks(app: Hono, dependencies: ApiDependencies): void {
  // Some vendors look whether the address answers before they use it.
  app.get('/webhooks/:kind/:slug', async (c, next) =>
    dependencies.connectorKinds.find(c.req.param('kind'))?.webhooks ? c.body(null, 200) : next(),
  );
  app.post('/webhooks/:kind/:slug', async (c, next) => {
    const kind = dependencies.connectorKinds.find(c.req.param('kind'));
    if (!kind?.webhooks) return next();
    const workspaceId = await findWorkspace(dependencies, c.req.param('slug'));
    if (workspaceId === null) return refuse('webhook_unsigned');
    const row = await changeAsSystem(dependencies, 'webhooks', workspaceId, (scope) =>
      findIntegration(scope, kind.name),
    );
    if (!row?.credentials) return refuse('webhook_unsigned');
    const body = openBody(c.req.raw);
    if (!(await body.readUpTo(SMALL_BODY * 8))) return refuse('body_too_large');
    const credentials = await openFields(kind.credentials, row.credentials, dependencies.secrets);
    const bytes = body.bytes();
    const { pathname, search } = new URL(c.req.url);
    const isSigned = kind.webhooks.isSigned(credentials, {
      ...{ method: 'POST', url: `${dependencies.publicUrl}${pathname}${search}` },
      ...{ headers: c.req.raw.headers, body: bytes, now: dependencies.clock() },
    });
    if (!isSigned) return refuse('webhook_unsigned');
    const challenge = kind.webhooks.answer?.(bytes) ?? null;
    if (challenge !== null) return c.text(challenge);
    const ids = kind.webhooks.readChanged(bytes, c.req.raw.headers);
    if (!ids) return refuse('body_malformed');
    await changeAsSystem(dependencies, 'webhooks', workspaceId, (scope) =>
      noteChanged(scope, dependencies, kind.name, {
        ids: ids === 'unnamed' ? ids : ids.slice(0, MOST_IDS),
        items: (kind.webhooks?.readItems?.(bytes, c.req.raw.headers) ?? []).slice(0, MOST_IDS),
      }),
    );
    const replies = kind.webhooks.readReplies?.(bytes) ?? [];
    const areKnown = await sendReplies(
      dependencies,
      { workspaceId, integrationId: row.id, name: kind.title },
      replies,
    );
    return areKnown ? c.body(null, 204) : refuse('server_busy');
  });
}

async function noteChanged(
  scope: WorkspaceScope,
  parts: ApiDependencies,
  kind: string,
  { ids, items }: { ids: readonly string[] | 'unnamed'; items: readonly ConnectorItem[] },
): Promise<void> {
  const row: IntegrationRow | null = await findIntegration(scope, kind, 'FOR NO KEY UPDATE');
  // Before the first sync was looked at nothing is taken over.
  if (row?.status !== 'connected' || !row.is_started) return;
  if (items.length > 0) {
    const home = (await findHomeCountry(scope)) ?? undefined;
    await storeItems(scope, { integration: row, secrets: parts.secrets, home }, items);
  }
  if (ids === 'unnamed') {
    // A run that is under way may have passed what changed.
    if (!(await startRun(scope, parts, row, 'schedule')))
      await scope.query('UPDATE integrations SET next_run_at = $3 WHERE workspace_id = $1 AND id = $2', [
        ...[scope.workspaceId, row.id, scope.clock()],
      ]);
    return;
  }
  if (ids.length === 0) return;
  await scope.query(
    `INSERT INTO integration_records (workspace_id, integration_id, id, external_id, is_pending)
     SELECT $1, $2, n.id, n.external_id, true FROM unnest($3::uuid[], $4::text[]) AS n (id, external_id)
     ON CONFLICT (workspace_id, integration_id, external_id) DO UPDATE SET is_pending = true, remote_values = NULL, is_gone = false`,
    [scope.workspaceId, row.id, ids.map(() => newId()), ids],
  );
  // A run that is under way begins the next one when it ends, because records wait.
  await startRun(scope, parts, row, 'event');
}

async function findWorkspace(dependencies: ApiDependencies, slug: string): Promise<string | null> {
  const { rows } = await changeAcrossWorkspaces(dependencies, 'webhooks', ({ client }) =>
    client.query<{ id: string }>('SELECT id FROM workspaces WHERE slug = $1', [slug]),
  );
  return rows[0]?.id ?? null;
}
