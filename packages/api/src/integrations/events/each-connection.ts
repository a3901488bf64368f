import type { EventExchange, EventTopic } from '@app/domain/integrations/event-connector';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { sweepEach } from '../../platform/jobs/sweep-each.ts';
import { changeAcrossWorkspaces, changeAsSystem } from '../../platform/system-work.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findIntegrationById, type IntegrationRow } from '../integration-rows.ts';
import { topicsOf } from './event-settings.ts';

export type HearingConnection = {
  row: IntegrationRow;
  events: EventExchange;
  /** Whether the topic is chosen now. */
  isOn: boolean;
};

/** Calls `handle` for each connection whose kind has the topic, one transaction each, with the row locked. */
export async function eachConnectionWith(
  parts: ApiDependencies,
  topic: EventTopic,
  handle: (scope: WorkspaceScope, connection: HearingConnection) => Promise<void>,
): Promise<void> {
  const kinds = parts.connectorKinds.all
    .filter(({ events }) => events?.topics.some(({ name }) => name === topic))
    .map(({ name }) => name);
  if (kinds.length === 0) return;
  const { rows } = await changeAcrossWorkspaces(parts, 'upkeep', ({ client }) =>
    client.query<{ workspace_id: string; id: string }>(
      `SELECT workspace_id, id FROM integrations
        WHERE kind = ANY ($1) AND status <> 'disconnected' AND problem IS DISTINCT FROM 'restored' ORDER BY id`,
      [kinds],
    ),
  );
  await sweepEach(parts, rows, ({ workspace_id: workspaceId, id }) =>
    changeAsSystem(parts, 'upkeep', workspaceId, async (scope) => {
      const row = await findIntegrationById(scope, id, 'FOR NO KEY UPDATE');
      const events = row && parts.connectorKinds.find(row.kind)?.events;
      if (!events || row.status === 'disconnected' || row.problem === 'restored') return;
      await handle(scope, { row, events, isOn: topicsOf(events, row).includes(topic) });
    }),
  );
}
