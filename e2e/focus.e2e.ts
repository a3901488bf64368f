import type { Page } from '@playwright/test';
import { actKey, expect, test, WHOLE } from './journey.ts';

const focusedRow = (page: Page) => page.locator('[role="row"]:focus');
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function addContact(page: Page, name: string): Promise<void> {
  const phone = `+49151${String(Math.random()).slice(2, 10)}`;
  const answer = await page.request.post('/api/contacts', { headers: actKey(), data: { name, phone } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

async function addContacts(page: Page, family: string, count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) await addContact(page, `${family} ${index}`);
}

async function deleteByKeyboard(page: Page, name: string): Promise<void> {
  await rowOf(page, name).focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).press('Enter');
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(name);
  await question.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(question).toHaveCount(0);
  await expect(rowOf(page, name)).toHaveCount(0);
}

test(
  'the focus stays where the work is when a row, a notification or the list goes away',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    const family = `Focus${String(Math.random()).slice(2, 8)}`;
    await addContacts(page, family, 3);
    await page.goto(`/dashboard/contacts?search=${family}&sort=name`);
    await deleteByKeyboard(page, `${family} 2`);
    await expect(focusedRow(page)).toContainText(`${family} 3`);

    // Arrow keys go on from there.
    await page.keyboard.press('ArrowUp');
    await expect(focusedRow(page)).toContainText(`${family} 1`);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(rowOf(page, `${family} 2`)).toBeVisible();
    await expect(focusedRow(page)).toContainText(`${family} 1`);

    await deleteByKeyboard(page, `${family} 3`);
    await expect(focusedRow(page)).toContainText(`${family} 2`);
    await deleteByKeyboard(page, `${family} 1`);
    await deleteByKeyboard(page, `${family} 2`);
    await expect(page.getByText('No contacts found')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  },
);

test(
  'keys act on the row that has the focus, also when rows have come in above it',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    const family = `Keys${String(Math.random()).slice(2, 8)}`;
    await addContact(page, `${family} b`);
    await addContact(page, `${family} d`);
    await page.goto(`/dashboard/contacts?search=${family}&sort=name`);
    await rowOf(page, `${family} b`).focus();
    await page.keyboard.press('ArrowDown');
    await expect(focusedRow(page)).toContainText(`${family} d`);

    for (const above of ['a', 'c']) await addContact(page, `${family} ${above}`);
    await expect(rowOf(page, `${family} c`)).toBeVisible();
    await expect(focusedRow(page)).toContainText(`${family} d`);
    await page.keyboard.press(' ');
    await expect(page.locator('[role="row"][aria-selected="true"]')).toContainText(`${family} d`);
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).press('Enter');
    await expect(page.getByRole('alertdialog')).toContainText(`${family} d`);
  },
);

test(
  'a button that is at work keeps the focus, and a card that goes leaves it to the next',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    const family = `focus_${String(Math.random()).slice(2, 8)}`;
    for (const index of [1, 2]) {
      const data = {
        name: `${family}_${index}`,
        category: 'general',
        language: 'en',
        components: [{ type: 'body', text: 'Stays where it is.' }],
      };
      const answer = await page.request.post('/api/templates', { headers: actKey(), data });
      expect(answer.ok(), await answer.text()).toBe(true);
    }
    await page.goto(`/dashboard/templates?search=${family}&sort=name`);
    const card = (index: number) => page.getByRole('listitem').filter({ hasText: `${family}_${index}` });
    await card(1)
      .getByRole('button', { name: /Delete/ })
      .press('Enter');
    await page.route('**/api/rpc/templates/remove', async (route) => {
      await expect(confirm).toBeFocused();
      await expect(confirm).toBeDisabled();
      await route.continue();
    });
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Delete' });
    await confirm.press('Enter');
    await expect(card(1)).toHaveCount(0);
    await expect(card(2).locator(':focus')).toHaveCount(1);
  },
);
