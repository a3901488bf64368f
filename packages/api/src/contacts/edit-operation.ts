import { OperationFailed } from '../platform/operations/operation-kind.ts';
import type { SteppingKind } from '../platform/operations/step-operation.ts';
import { editContacts, type ContactEdit } from './bulk-edit.ts';
import { nextOfOperation, type FrozenChoice } from './contact-choice.ts';

const AT_ONCE = 2_000;

export type EditWish = { choice: FrozenChoice; edit: ContactEdit };

/** Changes tags, status, language and custom fields of many, a bit at a time; whoever was changed until somebody stopped it stays so. */
export const contactEdit = {
  name: 'contact-edit',
  async step(scope, operation) {
    const { choice, edit } = operation.wish as EditWish; // as it was begun
    const { contactIds, resume, isOver } = await nextOfOperation(scope, operation, choice, AT_ONCE);
    const edited = await editContacts(scope, { ...edit, choice: { contactIds } });
    // It was right when it began: somebody deleted or changed the field since.
    if (typeof edited === 'string' || 'code' in edited) throw new OperationFailed('edit_field_gone');
    return {
      done: edited.chosen,
      result: { changed: edited.changed },
      ...{ resume, isOver },
    };
  },
  async onEnd(scope, { operation }) {
    const changed = operation.result.changed ?? 0;
    if (changed > 0) await scope.emit({ type: 'contacts.edited', subject: null, values: { changed } });
  },
} satisfies SteppingKind;
