import type { BindValue } from '@app/database/bind-value';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import { countContacts, summarizeForPeople } from '@app/database/contacts/count-contacts';
import { newId } from '@app/database/new-id';
import { contactLimits } from '@app/domain/contacts/contact';
import { findMissingPermission } from '@app/domain/auth/caller';
import { contactsContract } from '@app/contracts/contacts/contacts-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { startSteps } from '../platform/operations/start-steps.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { findByPhone } from './contact-aliases.ts';
import { countChosen, freezeChoice, isLarger } from './contact-choice.ts';
import { contactExport } from './files/contact-export-operation.ts';
import { addContact, changeContact, type ContactFields } from './contact-changes.ts';
import { listConsents, listTimeline, readSaidAt, recordConsent } from './contact-history.ts';
import type { CustomFieldError } from '../custom-fields/custom-values.ts';
import { editAtOnce } from './bulk-edit.ts';
import { atCustomField } from './custom-field-error.ts';
import { removeContact, restoreContact } from './deleted-contacts.ts';
import { eraseAndEmit } from './erase-contact.ts';
import { findHomeCountry } from './home-country.ts';
import { findPerson, findFilter, listContacts, listTags, type Contact } from './contacts-queries.ts';
import { emitExported } from './files/export-contacts.ts';
import { nameExport } from './files/name-export.ts';
import { readPhoneNumber } from './phone-number.ts';

const os = implementEndpoints(contactsContract);

/** Refusals that belong to the phone field of a form. */
const atPhone = { data: { field: 'phone' } };

export const contactsApi = os.router({
  list: os.list.handler(({ input, context, errors }) => {
    const isWhole = !(
      input.search ||
      input.segment ||
      input.importId ||
      input.campaignId ||
      input.tag ||
      input.status ||
      input.language
    );
    return context.read(isWhole ? 'interactive' : 'searching', async (scope) => {
      const filter = await findFilter(scope, input);
      if (typeof filter === 'string') throw errors[filter]();
      const { sort, limit, cursor } = input;
      const where = (bind: BindValue) => contactFilterSql(filter, bind, scope);
      return listContacts(scope, { where, sort, limit, cursor });
    });
  }),

  summarize: os.summarize.handler(({ context }) =>
    context.read((scope) => summarizeForPeople(scope, scope.workspaceId)),
  ),

  getHomeCountry: os.getHomeCountry.handler(({ context }) =>
    context.read(async (scope) => ({ country: await findHomeCountry(scope) })),
  ),

  count: os.count.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const filter = await findFilter(scope, input);
      if (typeof filter === 'string') throw errors[filter]();
      return { count: await countContacts(scope, scope.workspaceId, filter) };
    }),
  ),

  listTags: os.listTags.handler(({ input, context }) =>
    context.read((scope) => listTags(scope, input.search)),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const contact = await context.read((scope) => findPerson(scope, input.contactId));
    if (!contact) throw errors.contact_not_found();
    return contact;
  }),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const added = await addContact(scope, context.secrets, input);
      if (added === 'contact_phone_taken')
        throw errors[added]({ data: { field: 'phone', values: await nameTaker(scope, input) } });
      if (typeof added === 'string') throw errors[added](atPhone);
      if (!isContact(added)) throw errors[added.code](atCustomField(added));
      return added;
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const changed = await changeContact(scope, context.secrets, input);
      if (changed === 'contact_not_found' || changed === 'contact_changed') throw errors[changed]();
      if (typeof changed === 'string') throw errors[changed](atPhone);
      if (!isContact(changed)) throw errors[changed.code](atCustomField(changed));
      return changed;
    }),
  ),

  bulkEdit: os.bulkEdit.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const choice = await freezeChoice(scope, input.choice);
      if (typeof choice === 'string') throw errors[choice]();
      if (await isLarger(scope, choice, contactLimits.editedAtOnce)) throw errors.contact_choice_too_large();
      const edited = await editAtOnce(scope, input);
      if (typeof edited === 'string') throw errors[edited]();
      if ('code' in edited) throw errors[edited.code](atCustomField(edited));
      return edited;
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const name = await removeContact(scope, context.secrets, input.contactId);
      if (name === null) throw errors.contact_not_found();
      return {};
    }),
  ),

  restore: os.restore.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const restored = await restoreContact(scope, context.secrets, input.contactId);
      // Thrown inside, so that the kept copy stays when it cannot be used.
      if (restored === 'contact_not_found') throw errors.contact_not_found();
      if (typeof restored === 'string') throw errors[restored](atPhone);
      return restored;
    }),
  ),

  startExport: os.startExport.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { format, sort, columns } = input;
      const choice = await freezeChoice(scope, input.choice);
      if (typeof choice === 'string') throw errors[choice]();
      await emitExported(scope, format);
      const total = await countChosen(scope, choice);
      const about = await nameExport(scope, input.choice);
      return startSteps(scope, context, contactExport, {
        ...{
          id: newId(),
          kind: contactExport.name,
          total,
          wish: { format, sort, choice, ...(columns && { columns }), about },
        },
      });
    }),
  ),

  erase: os.erase.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const isErased = await eraseAndEmit(scope, context, input.contactId);
      if (!isErased) throw errors.contact_not_found();
      return {};
    }),
  ),

  listTimeline: os.listTimeline.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const contact = await findPerson(scope, input.contactId);
      if (!contact) throw errors.contact_not_found();
      return listTimeline(scope, { contactId: contact.id, limit: input.limit, cursor: input.cursor });
    }),
  ),

  listConsents: os.listConsents.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const contact = await findPerson(scope, input.contactId);
      if (!contact) throw errors.contact_not_found();
      return { items: await listConsents(scope, contact.id), nextCursor: null };
    }),
  ),

  recordConsent: os.recordConsent.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { contactId, kind, text } = input;
      const occurredAt = readSaidAt(scope, input.occurredAt);
      if (!occurredAt) throw errors.contact_consent_future({ data: { field: 'occurredAt' } });
      const contact = await recordConsent(scope, { contactId, kind, text, occurredAt });
      if (!contact) throw errors.contact_not_found();
      return contact;
    }),
  ),
});

function isContact(written: Contact | CustomFieldError | string): written is Contact {
  return typeof written === 'object' && 'id' in written;
}

/** Whose the number is, for those who may see contacts. */
async function nameTaker(
  scope: ReadScope,
  { phone, country }: Pick<ContactFields, 'phone' | 'country'>,
): Promise<Record<string, string>> {
  const number = readPhoneNumber(phone, country);
  if (!number || findMissingPermission(scope.caller, ['contacts:read'])) return {};
  const contactId = await findByPhone(scope, number);
  return contactId === null ? {} : { contactId };
}
