import { expect, test } from 'vitest';
import { openApiFixture, type ApiResponse } from '../api-fixture.ts';

const api = await openApiFixture();
const admin = await api.as('admin');
const manager = await api.as('manager');

const codeOf = async (response: ApiResponse) =>
  [response.status, (await response.json<{ error: { code: string } }>()).error.code].join(' ');
const read = async () =>
  (await admin.get('/api/settings/general')).json<{ version: number; businessName: string }>();
const save = (change: object) => admin.put('/api/settings/general', change);

test('what was saved is kept, told and known to everybody; what is not named stays', async () => {
  const { version } = await read();
  const saved = await save({
    version,
    businessName: ' Acme  Ltd ',
    websites: ['acme.example'],
    language: 'de',
  });
  expect(await saved.json()).toMatchObject({
    ...{ version: version + 1, businessName: 'Acme Ltd', websites: ['https://acme.example'], language: 'de' },
    timeZone: 'UTC',
  });
  expect(await (await save({ version: version + 1, about: 'We sell' })).json()).toMatchObject({
    ...{ version: version + 2, businessName: 'Acme Ltd', about: 'We sell', language: 'de' },
  });
  const session = await (await manager.get('/api/session')).json<{ workspace: { businessName: string } }>();
  expect(session.workspace.businessName).toBe('Acme Ltd');
});

test('of two who save at once the second one is asked', async () => {
  const { version } = await read();
  const answers = await Promise.all(['A', 'B'].map((about) => save({ version, about })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409)!;
  expect(await codeOf(refused)).toBe('409 settings_changed');
  expect((await read()).version).toBe(version + 1);
});

test.each([
  [{ about: 'a'.repeat(140) }, 'about'],
  [{ address: 'a'.repeat(257) }, 'address'],
  [{ description: 'a'.repeat(513) }, 'description'],
  [{ businessName: 'a'.repeat(101) }, 'businessName'],
  [{ email: 'nobody' }, 'email'],
  [{ websites: ['javascript:alert(1)'] }, 'websites.0'],
  [{ websites: ['a.example', 'b.example', 'c.example'] }, 'websites'],
  [{ timeZone: 'Mars/Base' }, 'timeZone'],
  [{ category: 'pirates' }, 'category'],
  [{ weekStartsOn: 3 }, 'weekStartsOn'],
])('%j is refused by its field', async (change, field) => {
  const { version } = await read();
  const refused = await save({ version, ...change });
  expect(refused.status).toBe(422);
  const { error } = await refused.json<{ error: { details: { issues: { field: string }[] } } }>();
  expect(error.details.issues.map((issue) => issue.field)).toContain(field);
});
