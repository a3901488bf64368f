import { segmentsContract } from '@app/contracts/contacts/segments-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { countContacts } from './contacts-queries.ts';
import {
  addSegment,
  areFieldsKnown,
  changeSegment,
  findSegment,
  listSegments,
  removeSegment,
} from './segments-queries.ts';

const os = implementEndpoints(segmentsContract);

/** Refusals that belong to the name field of a form. */
const atName = { data: { field: 'name' } };
const atRules = { data: { field: 'rules' } };

export const segmentsApi = os.router({
  list: os.list.handler(({ context }) =>
    context.inWorkspace(async (_, client) => ({
      items: await listSegments(client, context.session.workspaceId),
      nextCursor: null,
    })),
  ),

  count: os.count.handler(({ input, context }) =>
    context.inWorkspaceFor('counting', async (_, client) => ({
      count: await countContacts(client, context.session.workspaceId, { rules: input.rules }),
    })),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const segment = await context.inWorkspace((_, client) =>
      findSegment(client, context.session.workspaceId, input.segmentId),
    );
    if (!segment) throw errors.segment_not_found();
    return segment;
  }),

  create: os.create.handler(async ({ input, context, errors }) => {
    const segment = await context.inWorkspace(async (tx, client) => {
      if (!(await areFieldsKnown(client, context.session.workspaceId, input.rules)))
        throw errors.custom_field_unknown(atRules);
      const added = await addSegment(client, context.session.workspaceId, input, context.clock());
      if (typeof added === 'string') throw errors[added](atName);
      await context.recordActivity(tx, {
        type: 'create',
        resource: 'contacts',
        description: `Added segment ${added.name}`,
      });
      return added;
    });
    await context.publish('contacts');
    return segment;
  }),

  update: os.update.handler(async ({ input, context, errors }) => {
    const segment = await context.inWorkspace(async (tx, client) => {
      if (!(await areFieldsKnown(client, context.session.workspaceId, input.rules)))
        throw errors.custom_field_unknown(atRules);
      const changed = await changeSegment(client, context.session.workspaceId, input, context.clock());
      // Thrown inside: after a refused name the transaction cannot go on.
      if (changed === 'segment_name_taken') throw errors.segment_name_taken(atName);
      if (typeof changed === 'string') throw errors[changed]();
      await context.recordActivity(tx, {
        type: 'update',
        resource: 'contacts',
        description: `Updated segment ${changed.name}`,
      });
      return changed;
    });
    await context.publish('contacts');
    return segment;
  }),

  remove: os.remove.handler(async ({ input, context, errors }) => {
    await context.inWorkspace(async (tx, client) => {
      const removed = await removeSegment(client, context.session.workspaceId, input.segmentId);
      if (removed === null) throw errors.segment_not_found();
      if ('usedBy' in removed)
        throw errors.segment_in_use({ data: { values: { campaign: removed.usedBy } } });
      await context.recordActivity(tx, {
        type: 'delete',
        resource: 'contacts',
        description: `Deleted segment ${removed.name}`,
      });
    });
    await context.publish('contacts');
    return {};
  }),
});
