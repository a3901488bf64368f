import { customFieldsContract } from '@app/contracts/contacts/custom-fields-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import {
  addCustomField,
  changeCustomField,
  listCustomFields,
  readFieldUsage,
  removeCustomField,
  reorderCustomFields,
} from './custom-fields-queries.ts';

const os = implementEndpoints(customFieldsContract);

/** Refusals that belong to one field of a form. */
const atLabel = { data: { field: 'label' } };
const atOptions = { data: { field: 'options' } };

export const customFieldsApi = os.router({
  list: os.list.handler(({ context }) =>
    context.inWorkspace(async (_, client) => ({
      items: await listCustomFields(client, context.session.workspaceId),
      nextCursor: null,
    })),
  ),

  create: os.create.handler(async ({ input, context, errors }) => {
    const field = await context.inWorkspace(async (tx, client) => {
      const added = await addCustomField(client, context.session.workspaceId, input, context.clock());
      if (added === 'custom_field_label_taken') throw errors.custom_field_label_taken(atLabel);
      if (added === 'custom_field_options_missing') throw errors.custom_field_options_missing(atOptions);
      if (typeof added === 'string') throw errors[added]();
      await context.recordActivity(tx, {
        type: 'create',
        resource: 'contacts',
        description: `Added custom field ${added.label}`,
      });
      return added;
    });
    await context.publish('contacts');
    return field;
  }),

  update: os.update.handler(async ({ input, context, errors }) => {
    const field = await context.inWorkspace(async (tx, client) => {
      const changed = await changeCustomField(client, context.session.workspaceId, input, context.clock());
      if (changed === 'custom_field_label_taken') throw errors.custom_field_label_taken(atLabel);
      if (changed === 'custom_field_options_missing') throw errors.custom_field_options_missing(atOptions);
      if (typeof changed === 'string') throw errors[changed]();
      if ('option' in changed) {
        const { option, contacts } = changed;
        throw errors.custom_field_option_used({ data: { ...atOptions.data, values: { option, contacts } } });
      }
      await context.recordActivity(tx, {
        type: 'update',
        resource: 'contacts',
        description: `Updated custom field ${changed.label}`,
      });
      return changed;
    });
    await context.publish('contacts');
    return field;
  }),

  reorder: os.reorder.handler(async ({ input, context, errors }) => {
    const items = await context.inWorkspace(async (tx, client) => {
      const { workspaceId } = context.session;
      if (!(await reorderCustomFields(client, workspaceId, input.fieldIds)))
        throw errors.custom_fields_changed();
      await context.recordActivity(tx, {
        type: 'update',
        resource: 'contacts',
        description: 'Changed the order of the custom fields',
      });
      return listCustomFields(client, workspaceId);
    });
    await context.publish('contacts');
    return { items, nextCursor: null };
  }),

  getUsage: os.getUsage.handler(async ({ input, context, errors }) => {
    const usage = await context.inWorkspace((_, client) =>
      readFieldUsage(client, context.session.workspaceId, input.fieldId),
    );
    if (!usage) throw errors.custom_field_not_found();
    return usage;
  }),

  remove: os.remove.handler(async ({ input, context, errors }) => {
    await context.inWorkspaceFor('long', async (tx, client) => {
      const { workspaceId } = context.session;
      const removed = await removeCustomField(client, workspaceId, input.fieldId, context.clock());
      // Thrown inside, so that a field in use stays.
      if (typeof removed === 'string') throw errors[removed]();
      await context.recordActivity(tx, {
        type: 'delete',
        resource: 'contacts',
        description: `Deleted custom field ${removed.label}`,
      });
    });
    await context.publish('contacts');
    return {};
  }),
});
