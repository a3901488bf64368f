import { newId } from '@app/database/new-id';
import type { Input } from '../http-edge/contract-routes.ts';
import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, phone, post, workspaceId, admin, addContact }) => {
  const rules = () => ({ match: 'all', conditions: [{ kind: 'name_contains', value: `x${next()}` }] });

  async function merge(): Promise<Input> {
    const contacts = await Promise.all([addContact(), addContact()]);
    return {
      mergeId: newId(),
      survivorId: contacts[0]!.id,
      contacts: contacts.map(({ id, version }) => ({ contactId: id, version })),
    };
  }

  async function removal(): Promise<Input> {
    return { removalId: newId(), choice: { contactIds: [(await addContact()).id] } };
  }

  const addField = () => post('/api/custom-fields', { label: `Field ${next()}`, type: 'text' });

  const addSegment = () => post('/api/segments', { name: `Segment ${next()}`, rules: rules() });

  return {
    makers: {
      contactId: async () => ({ contactId: (await addContact()).id, version: 1 }),
      fieldId: async () => ({ fieldId: (await addField()).id }),
      segmentId: async () => ({ segmentId: (await addSegment()).id }),
    },
    scenes: {
      'contactMerges.merge': merge,
      'contactMerges.undo': async () => {
        const input = await merge();
        await post('/api/contacts/merges', input);
        return { mergeId: input.mergeId };
      },
      'contactActs.recordConsents': async () => ({
        choice: { contactIds: [(await addContact()).id] },
        kind: 'opt_in',
        text: 'At the fair',
      }),
      'contactActs.edit': async () => ({
        choice: { contactIds: [(await addContact()).id] },
        addTags: [`tag ${next()}`],
      }),
      'contactActs.saveAsSegment': async () => ({
        choice: { contactIds: [(await addContact()).id] },
        name: `Chosen ${next()}`,
      }),
      'contactRemovals.start': removal,
      'contactRemovals.undo': async () => {
        const input = await removal();
        await post('/api/contacts/removals', input);
        return { removalId: input.removalId };
      },
      'contacts.startExport': async () => ({
        format: 'csv',
        choice: { contactIds: [(await addContact()).id] },
      }),
      'contacts.create': async () => ({ name: `Person ${next()}`, phone: phone() }),
      'contacts.update': async () => {
        const { id: contactId, version } = await addContact();
        return { contactId, version, name: `Renamed ${next()}` };
      },
      'contacts.bulkEdit': async () => ({
        choice: { contactIds: [(await addContact()).id] },
        addTags: [`tag ${next()}`],
      }),
      'contacts.restore': async () => {
        const { id: contactId } = await addContact();
        await admin.delete(`/api/contacts/${contactId}`);
        return { contactId };
      },
      'contacts.erase': async () => {
        // Files of other scenes go with the first who is erased.
        await query('DELETE FROM operations');
        return { contactId: (await addContact()).id };
      },
      'contacts.recordConsent': async () => ({
        contactId: (await addContact()).id,
        kind: 'opt_in',
        text: 'In the shop',
      }),
      'contactImports.undo': async () => {
        const importId = newId();
        await query(
          `WITH act AS (INSERT INTO operations (id, workspace_id, kind, state) VALUES ($1, $2, 'contact-import', 'done'))
         INSERT INTO contact_imports (id, workspace_id, file_name, successful) VALUES ($1, $2, 'people.csv', 1)`,
          [importId, workspaceId],
        );
        const { id } = await addContact();
        await query('UPDATE contacts SET import_id = $2, window_expires_at = NULL WHERE id = $1', [
          id,
          importId,
        ]);
        return { importId };
      },
      'customFields.create': async () => ({ label: `Field ${next()}`, type: 'text' }),
      'customFields.update': async () => {
        const { id: fieldId, version } = await addField();
        return { fieldId, version, label: `Renamed field ${next()}` };
      },
      'segments.create': async () => ({ name: `Segment ${next()}`, rules: rules() }),
      'segments.update': async () => {
        const { id: segmentId, version } = await addSegment();
        return { segmentId, version, name: `Renamed segment ${next()}` };
      },
    },
  };
};
