import { findViolations } from './find-violations.ts';
import {
  expect,
  expectFitsEverywhere,
  expectNoSidewaysScroll,
  keepPicture,
  test,
  inWhole,
  WHOLE,
} from './journey.ts';

// A refused address is an answer of 422, which every browser notes in its console.
test.use({ allowedConsole: [/status of 422/] });

test(
  'somebody makes an API key, a program calls with it, and revoked it opens nothing',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('manager');
    await page.goto('/dashboard/profile?tab=apiKeys');
    await expect(page.getByText('No API keys')).toBeVisible();
    await inWhole(() => expectFitsEverywhere(page, 'api-keys-empty'));
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Web shop');
    const contacts = dialog.getByRole('group', { name: 'Contacts' });
    await contacts.getByRole('checkbox', { name: 'all' }).check();
    await expect(contacts.getByRole('checkbox', { name: 'read' })).toBeChecked();
    await contacts.getByRole('checkbox', { name: 'all' }).uncheck();
    await contacts.getByRole('checkbox', { name: 'read' }).check();
    // Only what one may do oneself can be given.
    await expect(dialog.getByRole('group', { name: 'Settings' })).toHaveCount(0);
    await dialog.getByLabel('Allowed addresses').fill('my office');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await expect(dialog.getByText('One of these is no IP address and no network.')).toBeVisible();
    await inWhole(() => expectFitsEverywhere(page, 'api-keys-create'));
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await expect(page.getByRole('heading', { name: 'Your new API key' })).toBeVisible();
    const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^wmp_/);
    await inWhole(() => expectFitsEverywhere(page, 'api-keys-secret'));
    await page.getByRole('button', { name: 'I have saved it' }).click();

    const call = async (path: string) => {
      const answer = await fetch(`${product.url}${path}`, { headers: { authorization: `Bearer ${secret}` } });
      return answer.status;
    };
    expect([await call('/api/contacts'), await call('/api/templates')]).toEqual([200, 403]);
    const row = page.getByRole('list', { name: 'API Keys' }).getByRole('listitem');
    await page.reload();
    await expect(row).toContainText('Only from 127.0.0.0/8, ::1');
    await expect(row).toContainText(/Last used: .* from/);
    await row.getByRole('button', { name: 'Rename Web shop' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('The web shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText('The web shop');
    await expectFitsEverywhere(page, 'api-keys');

    // Those who look after the workspace see it too, and may revoke it.
    const admin = await openAs('admin');
    await admin.goto('/dashboard/profile?tab=apiKeys');
    const others = admin.getByRole('list', { name: 'API keys of others' });
    await expect(others).toContainText('The web shop');
    await others.getByRole('button', { name: 'Revoke The web shop' }).click();
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(admin.getByText('API key The web shop revoked')).toBeVisible();
    await expect(page.getByText('No API keys')).toBeVisible();
    expect(await call('/api/contacts')).toBe(401);
  },
);

test('the reference of the API is read on a desk and on a telephone', WHOLE, async ({ page }) => {
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { name: 'Messaging dashboard API' })).toBeVisible();
  await expect(page.locator('[id="contacts.create"]')).toContainText('Adds a contact');
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
    await keepPicture(page, `api-reference-${width}`);
  }
  // All operations are written in one way, and all objects in another: one part of each is enough.
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('section[id^="tag-"] ~ section[id^="tag-"]')) part.remove();
    for (const object of [...document.querySelectorAll('#schemas article')].slice(20)) object.remove();
  });
  expect(await findViolations(page, 'all')).toEqual([]);
  // It follows the device: no choice of the app reaches it.
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findViolations(page, 'of colour')).toEqual([]);
  await keepPicture(page, 'api-reference-dark');
});
