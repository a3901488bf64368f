import { integrationsContract } from '@app/contracts/integrations/integrations-contract';
import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import { checkMapping, nextRunAt } from '@app/domain/integrations/integration-rules';
import { refusedField } from '@app/domain/integrations/refused-field';
import { findContact } from '../contacts/contacts-queries.ts';
import { beginConsent, openByConsent, readConsent } from './consent.ts';
import { openConnector } from '../platform/connectors/open-connector.ts';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { beginRun, changeIntegration } from './change-integration.ts';
import {
  askHealth,
  disconnectIntegration,
  readFields,
  revokeAccess,
  storeConnection,
  storeHealth,
  tryCredentials,
} from './connect-integration.ts';
import { findIntegration, type IntegrationRow } from './integration-rows.ts';
import { listItems } from './items/items-queries.ts';
import { listErrors, listHeld } from './records-queries.ts';
import {
  listIntegrations,
  listRuns,
  readIntegration,
  type Integration,
  readWebhookAddress,
} from './integrations-queries.ts';
import { startRun } from './sync/start-run.ts';
import { cancelRun } from './sync/sync-runs.ts';

const os = implementEndpoints(integrationsContract);
const NO_PAGE = { items: [], nextCursor: null };

export const integrationsApi = os.router({
  list: os.list.handler(({ context }) =>
    context.read(async (scope) => {
      const items = await listIntegrations(scope, context);
      const works = ({ status }: Integration) => status === 'connected' || status === 'syncing';
      return {
        items,
        totals: {
          connected: items.filter(works).length,
          recordsSynced: items.reduce((sum, one) => sum + one.recordsSynced, 0),
          activeSyncs: items.filter(({ status }) => status === 'syncing').length,
          errors: items.reduce((sum, one) => sum + one.errors, 0),
        },
      };
    }),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => readIntegration(scope, context, input.kind));
    if (!found) throw errors.integration_not_found();
    return found;
  }),

  listFields: os.listFields.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    const row = await context.read((scope) => findIntegration(scope, kind.name));
    if (!row?.credentials) throw errors.integration_not_connected();
    const { workspaceId } = context.session;
    const connector = await openConnector(context, kind, { workspaceId, credentials: row.credentials });
    if (!connector.contacts) return { items: [] };
    const reply = await connector.contacts.listFields();
    if (!reply.ok)
      throw errors.integration_refused({
        data: { values: { reason: reply.detail ?? '', word: reply.problem } },
      });
    return { items: reply.value.map((field) => ({ ...field, options: [...(field.options ?? [])] })) };
  }),

  connect: os.connect.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    const { credentials, problems } = readFields(kind.credentials.fields, input.values);
    if (problems.length > 0)
      throw errors.integration_incomplete({ data: { field: problems[0]?.field ?? '' } });
    const health = await tryCredentials(context, kind, credentials);
    if (health.state === 'unhealthy') {
      const { problem: word, detail: reason } = health;
      const field = health.field ?? refusedField(kind.credentials.fields, word);
      throw errors.integration_refused({
        data: { ...(field !== null && { field }), values: { reason: reason ?? '', word } },
      });
    }
    return context.change(async (scope) => {
      await storeConnection(scope, context, kind, { credentials, account: health.account });
      return shown(scope, context, kind.name);
    });
  }),

  beginConsent: os.beginConsent.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    if (!kind.consent) throw errors.integration_not_available();
    const begun = await beginConsent(context, { ...kind, consent: kind.consent }, input.values);
    if ('field' in begun) throw errors.integration_incomplete({ data: { field: begun.field } });
    return begun;
  }),

  finishConsent: os.finishConsent.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    if (!kind.consent) throw errors.integration_not_available();
    const begun = await readConsent(context, { ...kind, consent: kind.consent }, input);
    if (!begun) throw errors.integration_consent_expired();
    const opened = await openByConsent(context, { ...kind, consent: kind.consent }, begun.app, input.code);
    if ('problem' in opened)
      throw errors.integration_refused({
        data: { values: { reason: opened.detail ?? '', word: opened.problem } },
      });
    return context.change(async (scope) => {
      const row = await findIntegration(scope, kind.name, 'FOR NO KEY UPDATE');
      if ((row?.version ?? 0) !== begun.version) throw errors.integration_consent_expired();
      await storeConnection(scope, context, kind, opened);
      return shown(scope, context, kind.name);
    });
  }),

  update: os.update.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    return context.change(async (scope) => {
      const row = await findIntegration(scope, kind.name, 'FOR NO KEY UPDATE');
      if (!row || row.status === 'disconnected') throw errors.integration_not_connected();
      if (row.version !== input.version) throw errors.integration_changed();
      const { rows: custom } = await scope.query<{ key: string }>(
        'SELECT key FROM custom_fields WHERE workspace_id = $1',
        [scope.workspaceId],
      );
      const wrong =
        kind.contacts &&
        checkMapping(input.mapping, {
          customKeys: custom.map(({ key }) => key),
          ...{ optOutField: kind.contacts.optOutField, isReadOnly: kind.contacts.isReadOnly },
        });
      if (wrong)
        throw errors.integration_mapping_invalid({
          data: { field: 'mapping', values: { problem: wrong.problem, field: wrong.field } },
        });
      await changeIntegration(scope, context, row, {
        ...input,
        createsThere: input.createsThere && kind.contacts?.isReadOnly !== true,
      });
      return shown(scope, context, kind.name);
    });
  }),

  beginPreview: os.beginPreview.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    return context.change(async (scope) => {
      const begun = await beginRun(scope, context, kind, 'preview');
      if (begun)
        throw errors[begun === 'integration_preview_missing' ? 'integration_not_connected' : begun]();
      return shown(scope, context, kind.name);
    });
  }),

  sync: os.sync.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    return context.change(async (scope) => {
      const refusal = await beginRun(scope, context, kind, 'person');
      if (refusal) throw errors[refusal]();
      return shown(scope, context, kind.name);
    });
  }),

  cancel: os.cancel.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    return context.change(async (scope) => {
      const row = await findIntegration(scope, kind.name, 'FOR NO KEY UPDATE');
      if (row) {
        await cancelRun(scope, row.id);
        if (row.is_started && row.status !== 'disconnected' && kind.contacts)
          await scope.query('UPDATE integrations SET next_run_at = $3 WHERE workspace_id = $1 AND id = $2', [
            ...[scope.workspaceId, row.id, nextRunAt(row.frequency, scope.clock())],
          ]);
      }
      return shown(scope, context, kind.name);
    });
  }),

  check: os.check.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    const row = await context.read((scope) => findIntegration(scope, kind.name));
    const health = row && (await askHealth(context, context.session.workspaceId, row));
    if (!health) throw errors.integration_not_connected();
    return context.change(async (scope) => {
      const now = await findIntegration(scope, kind.name, 'FOR NO KEY UPDATE');
      // Connected anew meanwhile: what was asked is of before.
      if (now && now.version === row.version) {
        await storeHealth(scope, now, health);
        // The sync that proves it does not wait for the schedule: a person does.
        if (health.state === 'healthy' && now.status === 'error' && now.is_started && kind.contacts)
          await startRun(scope, context, now, 'person');
      }
      return shown(scope, context, kind.name);
    });
  }),

  disconnect: os.disconnect.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    let credentials: IntegrationRow['credentials'] = null;
    let url = '';
    const answer = await context.change(async (scope) => {
      const row = await findIntegration(scope, kind.name, 'FOR NO KEY UPDATE');
      if (!row || row.status === 'disconnected') throw errors.integration_not_connected();
      ({ credentials } = row);
      url = await readWebhookAddress(scope, context.publicUrl, kind);
      await disconnectIntegration(scope, row);
      return shown(scope, context, kind.name);
    });
    // The connection ends here also when the service does not answer.
    if (credentials) await revokeAccess(context, kind, { credentials, url });
    return answer;
  }),

  listRuns: os.listRuns.handler(async ({ input, context, errors }) => {
    if (kindOf(context, input.kind) === 'integration_not_found') throw errors.integration_not_found();
    return context.read(async (scope) => {
      const row = await findIntegration(scope, input.kind);
      return row ? listRuns(scope, row.id, input) : NO_PAGE;
    });
  }),

  listErrors: os.listErrors.handler(async ({ input, context, errors }) => {
    if (kindOf(context, input.kind) === 'integration_not_found') throw errors.integration_not_found();
    return context.read(async (scope) => {
      const row = await findIntegration(scope, input.kind);
      return row ? listErrors(scope, row, input) : NO_PAGE;
    });
  }),

  listHeld: os.listHeld.handler(async ({ input, context, errors }) => {
    if (kindOf(context, input.kind) === 'integration_not_found') throw errors.integration_not_found();
    return context.read(async (scope) => {
      const row = await findIntegration(scope, input.kind);
      return row ? listHeld(scope, row, input) : NO_PAGE;
    });
  }),

  listItemsOfContact: os.listItemsOfContact.handler(async ({ input, context, errors }) => {
    const items = await context.read(async (scope) =>
      (await findContact(scope, input.contactId)) ? listItems(scope, context, input.contactId) : null,
    );
    if (!items) throw errors.contact_not_found();
    return { items };
  }),

  retry: os.retry.handler(async ({ input, context, errors }) => {
    const kind = kindOf(context, input.kind);
    if (typeof kind === 'string') throw errors[kind]();
    return context.change(async (scope) => {
      const refusal = await beginRun(scope, context, kind, 'retry');
      if (refusal) throw errors[refusal]();
      return shown(scope, context, kind.name);
    });
  }),
});

function kindOf(
  context: Pick<SignedInContext, 'connectorKinds'>,
  name: string,
): ConnectorKind | 'integration_not_found' {
  return context.connectorKinds.find(name) ?? 'integration_not_found';
}

async function shown(scope: ReadScope, context: SignedInContext, kind: string): Promise<Integration> {
  return (await readIntegration(scope, context, kind))!; // one of the registry
}
