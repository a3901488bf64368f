import { openQueries } from '@app/database/open-queries';
import { systemCaller } from '@app/domain/auth/caller';
import type pg from 'pg';
import type { PageScope } from '../src/platform/facts/fact-consumer.ts';
import { openScope, type WorkspaceScope } from '../src/platform/workspace-scope.ts';

/** A scope on a connection whose transaction the test itself opens and ends. */
export function scopeOn(client: pg.PoolClient, workspaceId: string): WorkspaceScope {
  return openScope({
    caller: systemCaller('upkeep', workspaceId),
    ...{ tx: openQueries(client), client, clock: () => new Date(), origin: null, afterwards: [] },
  });
}

/** The same as a consumer of facts has it. */
export function pageOf(scope: WorkspaceScope): PageScope {
  return {
    ...scope,
    causedBy: () => scope,
  };
}
