import { actKey, expect, expectAccessible, test } from './journey.ts';

test.use({ allowedConsole: [/Failed to load resource/] });

test('a person is erased, and cannot be added again', async ({ openAs }) => {
  const page = await openAs('manager');
  const person = { name: 'Odette Vane', phone: '+447911000777' };
  const { id } = await (await page.request.post('/api/contacts', { headers: actKey(), data: person })).json();
  await page.goto(`/dashboard/contacts/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Erase' }).click();
  const question = page.getByRole('alertdialog', {
    name: 'Are you sure you want to erase this person without trace?',
  });
  await expect(question).toContainText('This cannot be undone.');
  await expectAccessible(page, 'contact-erase');
  await question.getByRole('button', { name: 'Erase' }).click();
  await expect(page.getByText('Person erased without trace.')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/contacts$/);

  await page.getByRole('button', { name: 'Add Contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Contact' });
  await dialog.getByLabel('Name').fill(person.name);
  await dialog.getByLabel('Phone').fill(person.phone);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('This person was erased and is not added again.')).toBeVisible();
});

test('a viewer cannot erase', async ({ openAs }) => {
  const [manager, viewer] = [await openAs('manager'), await openAs('viewer')];
  const data = { name: 'Pelle Frost', phone: '+447911000778' };
  const { id } = await (await manager.request.post('/api/contacts', { headers: actKey(), data })).json();
  await viewer.goto(`/dashboard/contacts/${id}`);
  await expect(viewer.getByRole('heading', { name: data.name })).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'More actions' })).toHaveCount(0);
});
