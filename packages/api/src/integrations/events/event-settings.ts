import type { integrationEvents } from '@app/contracts/integrations/integration-events-contract';
import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import {
  factsOf,
  firstTopics,
  type EventExchange,
  type EventTarget,
  type EventTopic,
} from '@app/domain/integrations/event-connector';
import type { z } from 'zod';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';
import { listLineStates, setLine } from '../../webhook-endpoints/connector-lines.ts';
import type { IntegrationRow } from '../integration-rows.ts';

type EventKind = ConnectorKind & { events: EventExchange };

/** What a connection hears of now; one that was never asked has what its kind begins with. */
export const topicsOf = (events: EventExchange, row: Pick<IntegrationRow, 'topics'>): EventTopic[] =>
  events.topics.map(({ name }) => name).filter((name) => (row.topics ?? firstTopics(events)).includes(name));

/** Stores what a connection hears of and sets its line; null leaves both as they are. Answers with the id of the line. */
export async function setEvents(
  scope: WorkspaceScope,
  { events }: EventKind,
  row: IntegrationRow,
  wanted: { topics: readonly EventTopic[]; target: EventTarget | null } | null,
): Promise<string> {
  const topics = wanted ? topicsOf(events, { topics: [...wanted.topics] }) : topicsOf(events, row);
  const target = wanted ? wanted.target : row.target;
  if (wanted) {
    await scope.query(
      `UPDATE integrations SET topics = $3, target = $4, version = version + 1, updated_at = $5 WHERE workspace_id = $1 AND id = $2`,
      [scope.workspaceId, row.id, topics, target && JSON.stringify(target), scope.clock()],
    );
    await scope.emit({ type: 'integration.updated', subject: row.id, values: { kind: row.kind } });
  }
  // Without a place to go to nothing is enqueued; what a service subscribed itself has lines of its own.
  const isPlaceless = events.hasTarget ? target === null : events.hasHooks && row.key_hint === null;
  const eventTypes = isPlaceless ? [] : factsOf(topics);
  return setLine(scope, { integrationId: row.id, eventTypes, perSecond: events.perSecond });
}

export async function presentEvents(
  scope: ReadScope,
  { events }: EventKind,
  row: IntegrationRow,
): Promise<z.infer<typeof integrationEvents>> {
  const state = (await listLineStates(scope)).find(({ integrationId }) => integrationId === row.id);
  const on = topicsOf(events, row);
  return {
    topics: events.topics.map(({ name }) => ({ name, isOn: on.includes(name) })),
    ...{ target: row.target, hasTarget: events.hasTarget === true, hasHooks: events.hasHooks === true },
    ...{ hooks: state?.hooks ?? 0, delivered: state?.delivered ?? 0, waiting: state?.waiting ?? 0 },
    ...{ failed: state?.failed ?? 0, version: row.version },
  };
}

/** Addresses that a service subscribed, this one apart. */
export async function countHooks(scope: ReadScope, integrationId: string, url: string): Promise<number> {
  const { rows } = await scope.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM webhook_endpoints WHERE workspace_id = $1 AND integration_id = $2 AND url NOT IN ('', $3)`,
    [scope.workspaceId, integrationId, url],
  );
  return rows[0]?.n ?? 0;
}
