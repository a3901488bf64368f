import { contactLayoutContract } from '@app/contracts/contacts/contact-layout-contract';
import { personOf } from '@app/domain/auth/caller';
import { readLayout, type ListLayout } from '@app/domain/contacts/contact-list-layout';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

const os = implementEndpoints(contactLayoutContract);

export const contactLayoutApi = os.router({
  get: os.get.handler(({ context }) => context.read(readOwnLayout)),

  save: os.save.handler(({ input, context }) =>
    context.change(async (scope) => {
      await keepLayout(scope, input);
      return input;
    }),
  ),
});

async function readOwnLayout(scope: ReadScope) {
  const { rows } = await scope.query<{ layout: Record<string, unknown> }>(
    'SELECT layout FROM contact_list_layouts WHERE workspace_id = $1 AND user_id = $2',
    [scope.workspaceId, personOf(scope.caller)],
  );
  const { columns, density } = readLayout(rows[0]?.layout ?? {});
  return { columns: [...columns], density };
}

async function keepLayout(scope: WorkspaceScope, layout: ListLayout): Promise<void> {
  await scope.query(
    `INSERT INTO contact_list_layouts (workspace_id, user_id, layout, changed_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, user_id) DO UPDATE SET layout = excluded.layout, changed_at = excluded.changed_at`,
    [scope.workspaceId, personOf(scope.caller), JSON.stringify(layout), scope.clock()],
  );
}
