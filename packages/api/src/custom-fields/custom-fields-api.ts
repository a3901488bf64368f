import { customFieldsContract } from '@app/contracts/custom-fields/custom-fields-contract';
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
    context.read(async (scope) => ({ items: await listCustomFields(scope), nextCursor: null })),
  ),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addCustomField(scope, input);
      if (added === 'custom_field_label_taken') throw errors.custom_field_label_taken(atLabel);
      if (added === 'custom_field_options_missing') throw errors.custom_field_options_missing(atOptions);
      if (typeof added === 'string') throw errors[added]();
      return added;
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeCustomField(scope, input);
      if (changed === 'custom_field_label_taken') throw errors.custom_field_label_taken(atLabel);
      if (changed === 'custom_field_options_missing') throw errors.custom_field_options_missing(atOptions);
      if (typeof changed === 'string') throw errors[changed]();
      if ('option' in changed) {
        const { option, contacts } = changed;
        throw errors.custom_field_option_used({ data: { ...atOptions.data, values: { option, contacts } } });
      }
      return changed;
    }),
  ),

  reorder: os.reorder.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await reorderCustomFields(scope, input.fieldIds))) throw errors.custom_fields_changed();
      return { items: await listCustomFields(scope), nextCursor: null };
    }),
  ),

  getUsage: os.getUsage.handler(async ({ input, context, errors }) => {
    const usage = await context.read((scope) => readFieldUsage(scope, input.fieldId));
    if (!usage) throw errors.custom_field_not_found();
    return usage;
  }),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const refusal = await removeCustomField(scope, input.fieldId);
      // Thrown inside the transaction, so that a field in use stays.
      if (refusal) throw errors[refusal]();
      return {};
    }),
  ),
});
