import { describe, expect, test } from 'vitest';
import { rememberKnownAs } from '@app/database/contact-merges/contact-aliases';
import { newId } from '@app/database/new-id';
import { openArrivals } from '../arrivals.ts';
import { chose, failed, said } from '../arriving-events.ts';

type Contact = { id: string; phone: string; optedOutAt: string | null };

const { api, admin, arrive, query, add, read } = await openArrivals();

const list = async (term = '') =>
  (
    await (
      await admin.get(`/api/contacts?limit=50${term && `&search=${encodeURIComponent(term)}`}`)
    ).json<{ items: Contact[] }>()
  ).items;
const importText = async (text: string, choices = '') => {
  const answer = await admin.request(`/api/contacts/imports?fileName=people.csv${choices}`, {
    method: 'POST',
    body: text,
    headers: { prefer: 'wait=50', 'content-type': 'text/csv' },
  });
  return answer.json<{ successful: number; updated: number; failed: number; optOuts: number }>();
};
const spelled = (...numbers: string[]) =>
  new RegExp(`^(?:${numbers.map((one) => one.replace('+', '\\+')).join('|')})$`);
/** A second contact as one could be made before the spellings of a number were known. */
const addTwin = async (phone: string) => {
  const id = newId();
  await query('INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, $3, $4)', [
    ...[id, api.workspaceId, 'Twin', phone],
  ]);
  return id;
};

describe.each([
  ['Brazil', '+5511987650901', '+551187650901'],
  ['Brazil, the north', '+5592991234567', '+559291234567'],
  ['Mexico', '+525512345678', '+5215512345678'],
  ['Argentina', '+541123456789', '+5491123456789'],
  ['Ivory Coast', '+2250707123456', '+22507123456'],
  ['Benin', '+2290197000001', '+22997000001'],
])('a number of %s, stored as %s and told as %s', (_, one, other) => {
  test.each([
    [one, other],
    [other, one],
  ])('%s stays the one contact when %s writes, and STOP is theirs', async (stored, told) => {
    const { id } = await add(stored);
    await arrive(said({ phone: told }, 'hello'), said({ phone: told }, 'STOP'));
    // What is no number any more is stored as it is dialled today.
    expect(await list()).toMatchObject([{ id, phone: expect.stringMatching(spelled(stored, told)) }]);
    expect((await read(id)).optedOutAt).not.toBeNull();
    expect(await list(told)).toMatchObject([{ id }]);
  });

  test('the setting of the app and a refused delivery find the contact, too', async () => {
    const { id } = await add(one);
    await arrive(chose({ phone: other }, 'stop', Date.now()));
    expect((await read(id)).optedOutAt).not.toBeNull();
    await query('DELETE FROM contacts');
    const again = await add(one);
    await arrive(failed({ phone: other }, { kind: 'opt_out' }, {}));
    expect((await read(again.id)).optedOutAt).not.toBeNull();
  });

  test('forms and files know that it is taken, and an update finds it', async () => {
    const { id } = await add(one);
    const second = await admin.post('/api/contacts', { name: 'Bob', phone: other });
    expect(second.status).toBe(409);
    expect(await importText(`name,phone\nBob,${other}\n`)).toMatchObject({ successful: 0, failed: 1 });
    expect(
      await importText(`name,phone,unsubscribed\nBob,${other},yes\n`, '&duplicates=update'),
    ).toMatchObject({ successful: 1, updated: 1, optOuts: 1 });
    expect(await list()).toMatchObject([{ id, phone: one }]);
    expect((await read(id)).optedOutAt).not.toBeNull();
  });

  test('a file that has it in both spellings brings one contact, and the opt-out of either row holds', async () => {
    const rows = `name,phone,unsubscribed\nAnn,${one},no\nAnn,${other},yes\n`;
    expect(await importText(rows)).toMatchObject({ successful: 1, failed: 1 });
    const [contact, ...more] = await list();
    expect(more).toEqual([]);
    expect(contact!.optedOutAt).not.toBeNull();
  });

  test('whoever was deleted as opted out comes back so under the other spelling', async () => {
    const { id } = await add(one);
    await arrive(said({ phone: one }, 'STOP'));
    await admin.delete(`/api/contacts/${id}`);
    await query('DELETE FROM deleted_contacts');
    await query('DELETE FROM suppression_list');
    // As the upkeep leaves it: the word alone, under the number that the contact had.
    const hash = api.parts.secrets.fingerprint(`${api.workspaceId} ${one}`);
    await query(
      `INSERT INTO suppression_list (workspace_id, identifier_hash, kind, source, occurred_at) VALUES ($1, $2, 'opt_out', 'person', now())`,
      [api.workspaceId, hash],
    );
    const back = await add(other);
    expect((await read(back.id)).optedOutAt).not.toBeNull();
  });

  test('of a pair that is there already an opt-out holds for both, and the two are offered for merging', async () => {
    const { id } = await add(one);
    const twin = await addTwin(other);
    await arrive(said({ phone: other }, 'STOP'));
    expect(await list()).toHaveLength(2);
    for (const contactId of [id, twin]) expect((await read(contactId)).optedOutAt).not.toBeNull();
    const found = await (
      await admin.get('/api/contacts/duplicates')
    ).json<{ items: { kind: string; contacts: object[] }[] }>();
    expect(found.items).toMatchObject([{ kind: 'phone', contacts: [{ id }, { id: twin }] }]);
  });
});

test('what the platform calls a contact in its answer to a message is theirs as well', async () => {
  const { id } = await add('+4915120000001');
  await rememberKnownAs(api.db.systemPool, [
    { workspaceId: api.workspaceId, contactId: id, knownAs: '+15550001111' },
  ]);
  await arrive(said({ phone: '+15550001111' }, 'STOP'));
  expect(await list()).toMatchObject([{ id }]);
  expect((await read(id)).optedOutAt).not.toBeNull();
  // A contact that has the number itself keeps it.
  const other = await add('+15550002222');
  await rememberKnownAs(api.db.systemPool, [
    { workspaceId: api.workspaceId, contactId: id, knownAs: '+15550002222' },
  ]);
  await arrive(said({ phone: '+15550002222' }, 'STOP'));
  expect((await read(other.id)).optedOutAt).not.toBeNull();
});

test('a landline and a mobile number that look alike stay two people', async () => {
  const landline = await add('+551133334444');
  await arrive(said({ phone: '+5511933334444' }, 'STOP'));
  expect(await list()).toHaveLength(2);
  expect((await read(landline.id)).optedOutAt).toBeNull();
});
