import { countContacts } from '@app/database/contacts/count-contacts';
import { segmentsContract } from '@app/contracts/segments/segments-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
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
    context.read(async (scope) => ({ items: await listSegments(scope), nextCursor: null })),
  ),

  count: os.count.handler(({ input, context }) =>
    context.read('counting', async (scope) => ({
      count: await countContacts(scope, scope.workspaceId, { rules: input.rules }),
    })),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const segment = await context.read((scope) => findSegment(scope, scope.workspaceId, input.segmentId));
    if (!segment) throw errors.segment_not_found();
    return segment;
  }),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await areFieldsKnown(scope, input.rules))) throw errors.custom_field_unknown(atRules);
      const added = await addSegment(scope, input);
      if (typeof added === 'string') throw errors[added](atName);
      return added;
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await areFieldsKnown(scope, input.rules))) throw errors.custom_field_unknown(atRules);
      const changed = await changeSegment(scope, input);
      // Thrown inside: after a refused name the transaction cannot go on.
      if (changed === 'segment_name_taken') throw errors.segment_name_taken(atName);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refusal = await removeSegment(scope, input.segmentId);
      if (refusal === 'segment_not_found') throw errors.segment_not_found();
      if (refusal) throw errors.segment_in_use({ data: { values: { campaign: refusal.usedBy } } });
      return {};
    }),
  ),
});
