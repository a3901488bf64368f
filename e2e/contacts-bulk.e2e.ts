import type { Page } from '@playwright/test';
import {
  actKey,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  test,
  WHOLE,
  inWhole,
} from './journey.ts';

async function addAll(page: Page, people: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (const data of people) {
    const response = await page.request.post('/api/contacts', { headers: actKey(), data });
    ids.push((await response.json()).id);
  }
  return ids;
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('all that match but one are deleted, and all come back', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  const crowd = [1, 2, 3].map((index) => ({ name: `Fair Visitor ${index}`, phone: `+44791140000${index}` }));
  await addAll(page, crowd);
  await page.goto('/dashboard/contacts?search=fair%20visitor');
  await rowOf(page, 'Fair Visitor 1').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Select all 3' }).click();
  await rowOf(page, 'Fair Visitor 2').getByRole('checkbox').click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', {
    name: 'Are you sure you want to delete these 2 contacts?',
  });
  await expect(question).toBeVisible();
  await inWhole(() => expectAccessible(page, 'contacts-bulk-delete'));
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('2 contacts deleted successfully!')).toBeVisible();
  await expect(rowOf(page, 'Fair Visitor')).toHaveCount(1);
  await keepPicture(page, 'contacts-bulk-deleted');
  // Whoever reloads the page finds the way back in the banner, on every page.
  await page.goto('/dashboard/templates');
  const banner = page.getByRole('region', { name: 'What takes longer' });
  await expect(banner.getByText('2 of 2 deleted')).toBeVisible();
  await keepPicture(page, 'long-acts-banner');
  await expectNoSidewaysScroll(page);
  await page.goto('/dashboard/contacts');
  await banner.getByRole('button', { name: 'Undo deletion' }).click();
  await expect(page.getByText('2 contacts are back.')).toBeVisible();
  await expect(rowOf(page, 'Fair Visitor')).toHaveCount(3);
});

test('possible duplicates are merged, stay together and are parted again', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  const [first] = await addAll(page, [
    { name: 'Ida Stone', phone: '+447911500001', email: 'ida@stone.example', tags: ['garden'] },
    {
      name: 'Ida M. Stone',
      phone: '+447911500002',
      email: 'IDA@stone.example',
      tags: ['shop'],
      status: 'blocked',
    },
  ]);
  await page.goto('/dashboard/contacts');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Duplicates' }).click();
  const list = page.getByRole('dialog', { name: 'Possible duplicates' });
  const group = list.getByRole('listitem').filter({ hasText: 'Same email: ida@stone.example' }).first();
  await expect(group).toBeVisible();
  await inWhole(() => expectAccessible(page, 'contacts-duplicates'));
  await group.getByRole('button', { name: 'Review and Merge' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge 2 contacts' });
  await dialog.getByRole('group', { name: 'Name' }).getByLabel('Ida M. Stone').check();
  await expect(dialog.getByText('Ida M. Stone is blocked, so the merged contact is blocked.')).toBeVisible();
  await expectAccessible(page, 'contacts-merge');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByText('2 contacts merged.')).toBeVisible();
  await expect(list.getByText('No duplicates found')).toBeVisible();

  await page.goto(`/dashboard/contacts/${first}`);
  await expect(page.getByRole('heading', { name: 'Ida M. Stone' })).toBeVisible();
  await expect(page.getByText('Merged contact Ida M. Stone into Ida M. Stone')).toBeVisible();
  await keepPicture(page, 'contact-merged');
  await page.getByRole('button', { name: 'Undo Merge' }).click();
  await expect(page.getByText('Merge undone: 1 contact is back.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Ida Stone' })).toBeVisible();
});

test(
  'on a phone in the dark the merge dialog fits, and the second editor is told',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('agent', { width: 360, theme: 'dark' });
    const [first] = await addAll(page, [
      { name: 'Pair One', phone: '+447911500011' },
      { name: 'Pair Two', phone: '+447911500012' },
    ]);
    await page.goto('/dashboard/contacts?search=pair');
    for (const name of ['Pair One', 'Pair Two']) await rowOf(page, name).getByRole('checkbox').click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Merge' }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge 2 contacts' });
    await expect(dialog.getByRole('group', { name: 'Phone' })).toBeVisible();
    await expectAccessible(page, 'contacts-merge-phone');
    await expectNoSidewaysScroll(page);
    const other = await openAs('manager');
    await other.request.patch(`/api/contacts/${first}`, { data: { version: 1, name: 'Pair Changed' } });
    await expect(dialog.getByText('Someone else changed one of these contacts.')).toBeVisible();
    await expect(dialog.getByText('Pair Changed').first()).toBeVisible();
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await expect(page.getByText('2 contacts merged.')).toBeVisible();
  },
);
