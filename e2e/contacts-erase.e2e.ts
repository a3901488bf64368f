import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { actKey, expect, expectAccessible, test, WHOLE, inWhole } from './journey.ts';

test.use({ allowedConsole: [/Failed to load resource/] });

test(
  'a person gets what is held about them, is erased, and cannot be added again',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    const person = { name: 'Odette Vane', phone: '+447911000777' };
    const { id } = await (
      await page.request.post('/api/contacts', { headers: actKey(), data: person })
    ).json();
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
  },
);

test(
  'an agent gets the data of a contact also while it can be restored; a viewer neither erases nor exports',
  WHOLE,
  async ({ openAs }) => {
    const [agent, viewer] = [await openAs('agent'), await openAs('viewer')];
    const data = { name: 'Pelle Frost', phone: '+447911000778' };
    const { id } = await (await agent.request.post('/api/contacts', { headers: actKey(), data })).json();
    await agent.goto(`/dashboard/contacts/${id}`);
    await agent.getByRole('button', { name: 'More actions' }).click();
    await expect(agent.getByRole('menuitem', { name: 'Export data' })).toBeVisible();
    await viewer.goto(`/dashboard/contacts/${id}`);
    await expect(viewer.getByRole('heading', { name: data.name })).toBeVisible();
    await expect(viewer.getByRole('button', { name: 'More actions' })).toHaveCount(0);
    expect((await viewer.request.get(`/api/contacts/${id}/data`)).status()).toBe(403);

    // Of a contact that was deleted the data is there as long as it can be restored.
    await agent.request.delete(`/api/contacts/${id}`, { headers: actKey() });
    await agent.goto(`/dashboard/contacts/${id}`);
    const stored = await download(agent, () => agent.getByRole('button', { name: 'Export data' }).click());
    expect(stored.deletedContacts).toEqual([
      { ...stored.deletedContacts![0], contact: expect.objectContaining(data) },
    ]);
    await agent.goto('/dashboard/contacts/00000000-0000-7000-8000-000000000000');
    await agent.getByRole('button', { name: 'Export data' }).click();
    await expect(agent.getByText('No data about this contact is stored any more.')).toBeVisible();
    await viewer.goto(`/dashboard/contacts/${id}`);
    await expect(viewer.getByRole('link', { name: 'All contacts' }).first()).toBeVisible();
    await expect(viewer.getByRole('button', { name: 'Export data' })).toHaveCount(0);
  },
);

async function download(page: Page, press: () => Promise<void>): Promise<Record<string, object[]>> {
  const begun = page.waitForEvent('download');
  await press();
  const file = await begun;
  expect(file.suggestedFilename()).toMatch(/^contact-data-\d{4}-\d\d-\d\d\.json$/);
  return JSON.parse(await readFile(await file.path(), 'utf8'));
}
