import { contactActsContract } from '@app/contracts/contacts/contact-acts-contract';
import { newId } from '@app/database/new-id';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { startSteps } from '../platform/long-acts/start-steps.ts';
import { contactConsents } from './consents-act.ts';
import { countChosen, countOptedOut, freezeChoice } from './contact-choice.ts';
import { readSaidAt } from './contact-history.ts';
import { saveAsSegment } from './save-as-segment.ts';

const os = implementEndpoints(contactActsContract);

export const contactActsApi = os.router({
  countOptedOut: os.countOptedOut.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const choice = await freezeChoice(scope, input.choice);
      if (!choice) throw errors.segment_not_found();
      return countOptedOut(scope, choice);
    }),
  ),

  recordConsents: os.recordConsents.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { kind, text } = input;
      const at = readSaidAt(scope, input.occurredAt);
      if (!at) throw errors.contact_consent_future({ data: { field: 'occurredAt' } });
      const choice = await freezeChoice(scope, input.choice);
      if (!choice) throw errors.segment_not_found();
      const total = await countChosen(scope, choice);
      return startSteps(scope, context, contactConsents, {
        ...{ id: newId(), kind: contactConsents.name, total },
        wish: { choice, kind, text, at: at.toISOString() },
      });
    }),
  ),

  saveAsSegment: os.saveAsSegment.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const saved = await saveAsSegment(scope, input);
      if (typeof saved === 'string') throw errors[saved]();
      const { id, name } = saved.segment;
      await scope.tell({ type: 'segment.created', subject: id, values: { name } });
      if (saved.tagged > 0)
        await scope.tell({ type: 'contacts.edited', subject: null, values: { changed: saved.tagged } });
      return saved;
    }),
  ),
});
