import { contactImportsContract } from '@app/contracts/contact-imports/contact-imports-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { cutPage, readNumberCursor } from '../platform/keyset.ts';
import { cancelImport, findImport, listImports, undoImport } from './contact-imports-queries.ts';

const os = implementEndpoints(contactImportsContract);

export const contactImportsApi = os.router({
  list: os.list.handler(({ context }) =>
    context.inWorkspace(async (_, client) => ({
      items: await listImports(client, context.session.workspaceId, context.clock()),
      nextCursor: null,
    })),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.inWorkspace((_, client) =>
      findImport(client, context.session.workspaceId, input.importId, context.clock()),
    );
    if (!found) throw errors.contact_import_not_found();
    return found;
  }),

  listErrors: os.listErrors.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const { importId, limit } = input;
    const after = readNumberCursor(input.cursor) ?? 0;
    const rows = await context.inWorkspace(async (_, client) => {
      if (!(await findImport(client, workspaceId, importId, context.clock()))) return null;
      const { rows: found } = await client.query<{ row: number; message: string }>(
        `SELECT row_number AS row, message FROM contact_import_errors
          WHERE workspace_id = $1 AND import_id = $2 AND row_number > $3 ORDER BY row_number LIMIT $4`,
        [workspaceId, importId, after, limit + 1],
      );
      return found;
    });
    if (!rows) throw errors.contact_import_not_found();
    return cutPage(rows, limit, ({ row }) => ({ key: String(row), id: '' }));
  }),

  cancel: os.cancel.handler(async ({ input, context, errors }) => {
    const found = await context.inWorkspace(async (_, client) => {
      await cancelImport(client, context.session.workspaceId, input.importId);
      return findImport(client, context.session.workspaceId, input.importId, context.clock());
    });
    if (!found) throw errors.contact_import_not_found();
    return found;
  }),

  undo: os.undo.handler(async ({ input, context, errors }) => {
    const { workspaceId } = context.session;
    const undone = await context.inWorkspaceFor('long', async (tx, client) => {
      if (!(await findImport(client, workspaceId, input.importId, context.clock())))
        throw errors.contact_import_not_found();
      const figures = await undoImport(client, workspaceId, {
        ...{ importId: input.importId, secrets: context.secrets, at: context.clock() },
      });
      if (!figures) throw errors.contact_import_not_undoable();
      await context.recordActivity(tx, {
        type: 'delete',
        resource: 'contacts',
        description: `Took an import back: ${figures.removed} contacts removed, ${figures.restored} restored`,
      });
      return figures;
    });
    await context.publish('contacts', { importId: input.importId });
    return undone;
  }),
});
