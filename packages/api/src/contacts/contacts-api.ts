import type { BindValue } from '@app/database/bind-value';
import { contactFilterSql } from '@app/database/contacts/contact-filter';
import { countContacts, summarizeContacts } from '@app/database/contacts/count-contacts';
import { contactsContract } from '@app/contracts/contacts/contacts-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { addContact, changeContact } from './contact-changes.ts';
import { listConsents, listTimeline, recordConsent } from './contact-history.ts';
import type { CustomRefusal } from '../custom-fields/custom-values.ts';
import { editContacts } from './bulk-edit.ts';
import { removeContact, restoreContact } from './deleted-contacts.ts';
import { eraseContact } from './erase-contact.ts';
import { findPerson, findFilter, listContacts, listTags, type Contact } from './contacts-queries.ts';

const os = implementEndpoints(contactsContract);

/** The caller's clock may be a little ahead of ours. */
const CLOCK_SKEW_MS = 60_000;

/** Refusals that belong to the phone field of a form. */
const atPhone = { data: { field: 'phone' } };

/** The same for a custom field, with what is wrong with its value. */
const atCustomField = ({ key, ...refusal }: CustomRefusal) => ({
  data: {
    field: `customFields.${key}`,
    values: { problem: 'problem' in refusal ? refusal.problem : 'unknown' },
  },
});

export const contactsApi = os.router({
  list: os.list.handler(({ input, context, errors }) => {
    const isWhole = !(input.search || input.segment || input.tag || input.status);
    return context.inWorkspaceFor(isWhole ? 'interactive' : 'searching', async (_, client) => {
      const { workspaceId } = context.session;
      const filter = await findFilter(client, workspaceId, input);
      if (!filter) throw errors.segment_not_found();
      const { sort, limit, cursor } = input;
      const where = (bind: BindValue) => contactFilterSql(filter, bind);
      return listContacts(client, workspaceId, { where, sort, limit, cursor });
    });
  }),

  summarize: os.summarize.handler(({ context }) =>
    context.inWorkspace((_, client) => summarizeContacts(client, context.session.workspaceId)),
  ),

  count: os.count.handler(({ input, context, errors }) =>
    context.inWorkspaceFor('counting', async (_, client) => {
      const filter = await findFilter(client, context.session.workspaceId, input);
      if (!filter) throw errors.segment_not_found();
      return { count: await countContacts(client, context.session.workspaceId, filter) };
    }),
  ),

  listTags: os.listTags.handler(({ input, context }) =>
    context.inWorkspace((_, client) => listTags(client, context.session.workspaceId, input.search)),
  ),

  get: os.get.handler(async ({ input, context, errors }) => {
    const contact = await context.inWorkspace((_, client) =>
      findPerson(client, context.session.workspaceId, input.contactId),
    );
    if (!contact) throw errors.contact_not_found();
    return contact;
  }),

  create: os.create.handler(async ({ input, context, errors }) => {
    const contact = await context.inWorkspace(async (tx, client) => {
      const added = await addContact(client, context, input);
      if (isContact(added)) {
        await context.recordActivity(tx, {
          type: 'create',
          resource: 'contacts',
          description: `Added contact ${added.name}`,
          metadata: { contactId: added.id },
        });
      }
      return added;
    });
    if (typeof contact === 'string') throw errors[contact](atPhone);
    if (!isContact(contact)) throw errors[contact.code](atCustomField(contact));
    await context.publish('contacts', { contactId: contact.id });
    return contact;
  }),

  update: os.update.handler(async ({ input, context, errors }) => {
    const contact = await context.inWorkspace(async (tx, client) => {
      const changed = await changeContact(client, context, input);
      if (isContact(changed)) {
        await context.recordActivity(tx, {
          type: 'update',
          resource: 'contacts',
          description: `Updated contact ${changed.name}`,
          metadata: { contactId: changed.id },
        });
      }
      return changed;
    });
    if (contact === 'contact_not_found' || contact === 'contact_changed') throw errors[contact]();
    if (typeof contact === 'string') throw errors[contact](atPhone);
    if (!isContact(contact)) throw errors[contact.code](atCustomField(contact));
    await context.publish('contacts', { contactId: contact.id });
    return contact;
  }),

  bulkEdit: os.bulkEdit.handler(async ({ input, context, errors }) => {
    const edited = await context.inWorkspaceFor('long', async (tx, client) => {
      const figures = await editContacts(client, context.session.workspaceId, input, context.clock());
      if (figures === 'segment_not_found') throw errors.segment_not_found();
      if (figures.changed > 0) {
        await context.recordActivity(tx, {
          type: 'update',
          resource: 'contacts',
          description: `Edited ${figures.changed} contacts at once`,
        });
      }
      return figures;
    });
    if (edited.changed > 0) await context.publish('contacts');
    return edited;
  }),

  remove: os.remove.handler(async ({ input, context, errors }) => {
    const name = await context.inWorkspace(async (tx, client) => {
      const owner = { workspaceId: context.session.workspaceId, secrets: context.secrets };
      const removed = await removeContact(client, owner, input.contactId, context.clock());
      if (removed !== null) {
        await context.recordActivity(tx, {
          type: 'delete',
          resource: 'contacts',
          description: `Deleted contact ${removed}`,
          metadata: { contactId: input.contactId },
        });
      }
      return removed;
    });
    if (name === null) throw errors.contact_not_found();
    await context.publish('contacts', { contactId: input.contactId });
    return {};
  }),

  restore: os.restore.handler(async ({ input, context, errors }) => {
    const contact = await context.inWorkspace(async (tx, client) => {
      const { workspaceId } = context.session;
      const owner = { workspaceId, secrets: context.secrets };
      const restored = await restoreContact(client, owner, input.contactId);
      // Thrown inside, so that the kept copy stays when it cannot be used.
      if (restored === 'contact_not_found') throw errors.contact_not_found();
      if (typeof restored === 'string') throw errors[restored](atPhone);
      await context.recordActivity(tx, {
        type: 'create',
        resource: 'contacts',
        description: `Restored contact ${restored.name}`,
        metadata: { contactId: restored.id },
      });
      return restored;
    });
    await context.publish('contacts', { contactId: contact.id });
    return contact;
  }),

  erase: os.erase.handler(async ({ input, context, errors }) => {
    const isErased = await context.inWorkspace(async (tx, client) => {
      const found = await eraseContact(client, context.session.workspaceId, {
        contactId: input.contactId,
        secrets: context.secrets,
      });
      if (found) {
        await context.recordActivity(tx, {
          type: 'delete',
          resource: 'contacts',
          description: 'Erased a person without trace',
        });
      }
      return found;
    });
    if (!isErased) throw errors.contact_not_found();
    await context.publish('contacts', { contactId: input.contactId });
    return {};
  }),

  listTimeline: os.listTimeline.handler(({ input, context, errors }) =>
    context.inWorkspace(async (_, client) => {
      const { workspaceId } = context.session;
      const contact = await findPerson(client, workspaceId, input.contactId);
      if (!contact) throw errors.contact_not_found();
      return listTimeline(client, workspaceId, {
        contactId: contact.id,
        limit: input.limit,
        cursor: input.cursor,
        now: context.clock(),
      });
    }),
  ),

  listConsents: os.listConsents.handler(({ input, context, errors }) =>
    context.inWorkspace(async (_, client) => {
      const { workspaceId } = context.session;
      const contact = await findPerson(client, workspaceId, input.contactId);
      if (!contact) throw errors.contact_not_found();
      return { items: await listConsents(client, workspaceId, contact.id), nextCursor: null };
    }),
  ),

  recordConsent: os.recordConsent.handler(async ({ input, context, errors }) => {
    const { contactId, kind, text } = input;
    const occurredAt = input.occurredAt ? new Date(input.occurredAt) : context.clock();
    if (occurredAt.getTime() > context.clock().getTime() + CLOCK_SKEW_MS)
      throw errors.contact_consent_future({ data: { field: 'occurredAt' } });
    const { firstName, lastName, email } = context.session.user;
    const contact = await context.inWorkspace(async (tx, client) => {
      const recorded = await recordConsent(client, context.session.workspaceId, {
        contactId,
        kind,
        text,
        occurredAt,
        recordedBy: `${firstName} ${lastName}`.trim() || email,
      });
      if (recorded) {
        await context.recordActivity(tx, {
          type: 'update',
          resource: 'contacts',
          description: `Recorded an ${kind === 'opt_in' ? 'opt-in' : 'opt-out'} of ${recorded.name}`,
          metadata: { contactId },
        });
      }
      return recorded;
    });
    if (!contact) throw errors.contact_not_found();
    await context.publish('contacts', { contactId });
    return contact;
  }),
});

function isContact(written: Contact | CustomRefusal | string): written is Contact {
  return typeof written === 'object' && 'id' in written;
}
