import type { Page } from '@playwright/test';
import { expect, expectAccessible, keepPicture, test } from './journey.ts';

async function addAll(page: Page, people: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (const data of people) {
    const response = await page.request.post('/api/contacts', { data });
    ids.push((await response.json()).id);
  }
  return ids;
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('all that match but one are deleted, and all come back', async ({ openAs }) => {
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
  await expectAccessible(page);
  await keepPicture(page, 'contacts-bulk-delete');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('2 contacts deleted successfully!')).toBeVisible();
  await expect(rowOf(page, 'Fair Visitor')).toHaveCount(1);
  await keepPicture(page, 'contacts-bulk-deleted');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('2 contacts are back.')).toBeVisible();
  await expect(rowOf(page, 'Fair Visitor')).toHaveCount(3);
});
