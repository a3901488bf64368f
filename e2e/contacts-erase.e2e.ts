import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { actKey, expect, expectAccessible, test, WHOLE, inWhole } from './journey.ts';

test.use({ allowedConsole: [/Failed to load resource/] });

test('a person gets what is held about them, is erased, and cannot be added again', async ({ openAs }) => {
  const page = await openAs('manager');
  const person = { name: 'Odette Vane', phone: '+447911000777' };
  const { id } = await (await page.request.post('/api/contacts', { headers: actKey(), data: person })).json();
  await page.goto(`/dashboard/contacts/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await inWhole(() => expectAccessible(page, 'contact-actions'));
  const data = await download(page, () => page.getByRole('menuitem', { name: 'Export data' }).click());
  expect(data.contact).toEqual([expect.objectContaining(person)]);
  await expect(page.getByText('Everything that is held about this person was exported.')).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Erase' }).click();
  const question = page.getByRole('alertdialog', {
    name: 'Are you sure you want to erase this person without trace?',
  });
  await expect(question).toContainText('This cannot be undone.');
  await inWhole(() => expectAccessible(page, 'contact-erase'));
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

test(
  'a viewer cannot erase, and gets the data of a contact also while it can be restored',
  WHOLE,
  async ({ openAs }) => {
    const [manager, viewer] = [await openAs('manager'), await openAs('viewer')];
    const data = { name: 'Pelle Frost', phone: '+447911000778' };
    const { id } = await (await manager.request.post('/api/contacts', { headers: actKey(), data })).json();
    await viewer.goto(`/dashboard/contacts/${id}`);
    await expect(viewer.getByRole('heading', { name: data.name })).toBeVisible();
    await viewer.getByRole('button', { name: 'More actions' }).click();
    await expect(viewer.getByRole('menuitem', { name: 'Export data' })).toBeVisible();
    await expect(viewer.getByRole('menuitem', { name: 'Erase' })).toHaveCount(0);

    // Of a contact that was deleted the data is there as long as it can be restored.
    await manager.request.delete(`/api/contacts/${id}`, { headers: actKey() });
    await viewer.goto(`/dashboard/contacts/${id}`);
    const kept = await download(viewer, () => viewer.getByRole('button', { name: 'Export data' }).click());
    expect(kept.deletedContacts).toEqual([
      { ...kept.deletedContacts![0], contact: expect.objectContaining(data) },
    ]);
    await viewer.goto('/dashboard/contacts/00000000-0000-7000-8000-000000000000');
    await viewer.getByRole('button', { name: 'Export data' }).click();
    await expect(viewer.getByText('Nothing is kept of this contact any more.')).toBeVisible();
  },
);

async function download(page: Page, press: () => Promise<void>): Promise<Record<string, object[]>> {
  const begun = page.waitForEvent('download');
  await press();
  const file = await begun;
  expect(file.suggestedFilename()).toMatch(/^contact-data-\d{4}-\d\d-\d\d\.json$/);
  return JSON.parse(await readFile(await file.path(), 'utf8'));
}
