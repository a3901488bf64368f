import { contactActsContract } from '@app/contracts/contacts/contact-acts-contract';
import { newId } from '@app/database/new-id';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { startSteps } from '../platform/operations/start-steps.ts';
import { checkCustomInput } from '../custom-fields/custom-values.ts';
import { contactConsents } from './consents-operation.ts';
import { contactEdit } from './edit-operation.ts';
import { countChosen, countOptedOut, freezeChoice } from './contact-choice.ts';
import { atCustomField } from './custom-field-error.ts';
import { readSaidAt } from './contact-history.ts';
import { addTagSegment } from './save-as-segment.ts';

const os = implementEndpoints(contactActsContract);

export const contactActsApi = os.router({
  countOptedOut: os.countOptedOut.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const choice = await freezeChoice(scope, input.choice);
      if (typeof choice === 'string') throw errors[choice]();
      return countOptedOut(scope, choice);
    }),
  ),

  recordConsents: os.recordConsents.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { kind, text } = input;
      const at = readSaidAt(scope, input.occurredAt);
      if (!at) throw errors.contact_consent_future({ data: { field: 'occurredAt' } });
      const choice = await freezeChoice(scope, input.choice);
      if (typeof choice === 'string') throw errors[choice]();
      const total = await countChosen(scope, choice);
      return startSteps(scope, context, contactConsents, {
        ...{ id: newId(), kind: contactConsents.name, total },
        wish: { choice, kind, text, at: at.toISOString() },
      });
    }),
  ),

  edit: os.edit.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { choice: wanted, ...edit } = input;
      const choice = await freezeChoice(scope, wanted);
      if (typeof choice === 'string') throw errors[choice]();
      // Looked at before anybody is changed; each bit looks again.
      const custom = await checkCustomInput(scope, edit.customFields);
      if ('code' in custom) throw errors[custom.code](atCustomField(custom));
      const total = await countChosen(scope, choice);
      return startSteps(scope, context, contactEdit, {
        ...{ id: newId(), kind: contactEdit.name, total, wish: { choice, edit } },
      });
    }),
  ),

  saveAsSegment: os.saveAsSegment.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const choice = await freezeChoice(scope, input.choice);
      if (typeof choice === 'string') throw errors[choice]();
      const saved = await addTagSegment(scope, input.name);
      if (typeof saved === 'string') throw errors[saved]();
      const total = await countChosen(scope, choice);
      const operation = await startSteps(scope, context, contactEdit, {
        ...{ id: newId(), kind: contactEdit.name, total },
        wish: { choice, edit: { addTags: [saved.tag], removeTags: [] } },
      });
      return { ...saved, operation };
    }),
  ),
});
