import { readFileSync } from 'node:fs';
import { expect, expectFitsEverywhere, test, WHOLE, inWhole } from './journey.ts';

test(
  'all data leaves in one file, goes once the name of the business is typed, and comes back by the file',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/settings?tab=data');
    await expect(page.getByText(/\d+ contacts, \d+ templates, \d+ campaign/)).toBeVisible();
    await expectFitsEverywhere(page, 'settings-data');

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export Data' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^backup-\d{4}-\d\d-\d\d\.json$/);
    await expect(page.getByText('Data exported successfully!')).toBeVisible();
    const data = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(data).toMatchObject({ version: '1.0', exportDate: expect.any(String) });
    for (const part of ['contacts', 'templates', 'campaigns']) expect(data[part].length).toBeGreaterThan(0);

    await page.getByRole('button', { name: 'Clear All Data' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(
      'Are you sure you want to clear all data? This action cannot be undone.',
    );
    const clear = dialog.getByRole('button', { name: 'Clear All Data' });
    await dialog.getByRole('textbox').fill('something else');
    await expect(clear).toBeDisabled();
    await dialog.getByRole('textbox').fill(data.settings.businessName);
    await inWhole(() => expectFitsEverywhere(page, 'settings-data-clear'));
    await clear.click();
    await expect(page.getByText('All data cleared successfully!')).toBeVisible();
    await expect(page.getByText('0 contacts, 0 templates, 0 campaigns')).toBeVisible();
    await page.goto('/dashboard/settings?tab=general');
    await expect(page.getByLabel('Business Name')).toHaveValue('Your Business');

    await page.goto('/dashboard/settings?tab=data');
    await page.getByLabel('Choose a file').setInputFiles(await download.path());
    await dialog.getByRole('button', { name: 'Show What Would Change' }).click();
    await expect(dialog.getByRole('row', { name: /^Contacts/ })).toContainText(String(data.contacts.length));
    await inWhole(() => expectFitsEverywhere(page, 'settings-data-import'));
    await dialog.getByRole('button', { name: 'Import Data' }).click();
    await expect(page.getByText('Data imported successfully!')).toBeVisible();
    await expect(page.getByText(new RegExp(`^${data.contacts.length} contacts,`))).toBeVisible();

    await page.getByRole('button', { name: 'Undo Import' }).click();
    await inWhole(() => expectFitsEverywhere(page, 'settings-data-undo'));
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo Import' }).click();
    await expect(page.getByText('The import was undone.')).toBeVisible();
    await expect(page.getByText('0 contacts, 0 templates, 0 campaigns')).toBeVisible();
  },
);

test('a full archive is written under a passphrase, downloaded and deleted', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/settings?tab=data');
  await page.getByRole('button', { name: 'Create Archive' }).click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create Archive' });
  await dialog.getByLabel('Passphrase', { exact: true }).fill('short');
  await create.click();
  await expect(dialog.getByText('It needs at least 8 characters.')).toBeVisible();
  await dialog.getByLabel('Passphrase', { exact: true }).fill('a long passphrase');
  await create.click();
  await expect(dialog.getByText('The two differ.')).toBeVisible();
  await dialog.getByLabel('With the secrets of the numbers').check();
  await expectFitsEverywhere(page, 'settings-data-archive');
  await dialog.getByLabel('Passphrase once more').fill('a long passphrase');
  await create.dblclick();
  await expect(page.getByText('The archive is ready.')).toBeVisible();

  const ready = page.getByRole('list', { name: 'Archives that lie ready' });
  await expect(ready.getByRole('listitem')).toHaveCount(1);
  await expect(ready.getByText('With secrets')).toBeVisible();
  await expectFitsEverywhere(page, 'settings-data-archives');
  const saved = page.waitForEvent('download');
  await ready.getByRole('button', { name: /^Download archive of/ }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/^workspace-\d{4}-\d\d-\d\d\.archive$/);
  const bytes = readFileSync(await download.path());
  expect(bytes.subarray(0, 200).toString('latin1')).toContain('"kind":"workspace"');
  expect(bytes.includes('passphrase')).toBe(false);

  await ready.getByRole('button', { name: /^Delete archive of/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Archive' }).click();
  await expect(page.getByText('No archive lies ready.')).toBeVisible();
});

test.describe('a full archive', () => {
  // What is no archive is refused.
  test.use({ allowedConsole: [/422 .*archive-readings/] });

  test('takes the place of what is here, and what was here comes back', WHOLE, async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/settings?tab=data');
    const dialog = page.getByRole('dialog');
    const file = page.getByLabel('Choose an archive');
    await file.setInputFiles({ name: 'holiday.archive', mimeType: '', buffer: Buffer.alloc(3_000_000, 7) });
    await expect(dialog.getByRole('alert')).toContainText('This file is no archive of this product.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Create Archive' }).click();
    await dialog.getByLabel('Passphrase', { exact: true }).fill('a long passphrase');
    await dialog.getByLabel('Passphrase once more').fill('a long passphrase');
    await dialog.getByLabel('With the secrets of the numbers').check();
    await dialog.getByRole('button', { name: 'Create Archive' }).click();
    await expect(page.getByText('The archive is ready.')).toBeVisible();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download archive of/ }).click();
    const archive = await (await saved).path();
    const holds = page.getByText(/^\d+ contacts, \d+ templates, \d+ campaigns?$/);
    const before = (await holds.textContent())!;

    await page.goto('/dashboard/settings?tab=general');
    const business = page.getByLabel('Business Name');
    const name = await business.inputValue();
    await business.fill('Changed since');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await expect(page.getByText(/saved/i).first()).toBeVisible();
    await page.goto('/dashboard/settings?tab=data');

    await file.setInputFiles(archive);
    await dialog.getByLabel('Passphrase', { exact: true }).fill('another passphrase');
    await dialog.getByRole('button', { name: 'Look It Through' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The passphrase is wrong.');
    await expect(dialog.getByLabel('Passphrase', { exact: true })).toHaveValue('another passphrase');
    await dialog.getByLabel('Passphrase', { exact: true }).fill('a long passphrase');
    await dialog.getByRole('button', { name: 'Look It Through' }).click();
    await expect(dialog.getByRole('row', { name: /^Contacts/ })).toBeVisible();
    await expect(dialog.getByText('admin@example.com')).toBeVisible();
    const replace = dialog.getByRole('button', { name: 'Replace Everything Here' });
    await expect(replace).toBeDisabled();
    await dialog.getByRole('textbox', { name: /^Type / }).fill('Changed since');
    await expectFitsEverywhere(page, 'settings-data-reading-preview');
    await replace.dblclick();
    await expect(dialog.getByRole('heading', { name: 'The archive was imported' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByText(before, { exact: true })).toBeVisible();
    await expectFitsEverywhere(page, 'settings-data-readings');
    await page.goto('/dashboard/settings?tab=general');
    await expect(business).toHaveValue(name);

    await page.goto('/dashboard/settings?tab=data');
    await page.getByRole('button', { name: 'Take It Back' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take It Back' }).dblclick();
    await expect(page.getByText('What was here before is back.')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Archive imports' }).getByText('Undone')).toBeVisible();
    await expect(page.getByText(before, { exact: true })).toBeVisible();
    await page.goto('/dashboard/settings?tab=general');
    await expect(business).toHaveValue('Changed since');
  });
});

test('whoever may not manage settings may neither take all data nor clear it', WHOLE, async ({ openAs }) => {
  const page = await openAs('viewer');
  await page.goto('/dashboard/settings?tab=data');
  await expect(
    page.getByRole('button', { name: 'Export Data' }).or(page.getByText('Access Denied')),
  ).toBeVisible();
  for (const name of ['Export Data', 'Clear All Data', 'Create Archive'])
    for (const button of await page.getByRole('button', { name }).all()) await expect(button).toBeDisabled();
  for (const file of await page.getByLabel('Choose an archive').all()) await expect(file).toBeDisabled();
});

test(
  'each page of the sample leads to where a business begins, until that is put away',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/contacts');
    await page.evaluate(() => {
      localStorage.setItem('shows-sample-hint', 'yes');
      sessionStorage.clear();
    });
    await page.reload();
    const hint = page.getByRole('note');
    await expect(hint.getByText('This is a sample workspace')).toBeVisible();
    await expectFitsEverywhere(page, 'sample-hint');
    await hint.getByRole('link', { name: 'Start for Real' }).click();
    await expect(page.getByRole('button', { name: 'Start for Real' })).toBeVisible();
    await expect(hint).toBeHidden();
    await page.goBack();
    await hint.getByRole('button', { name: 'Hide until the next visit' }).click();
    await expect(hint).toBeHidden();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible();
    await expect(hint).toBeHidden();
  },
);

test(
  'the sample becomes a business of its own in one act, and whoever did it goes on as its owner',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/settings?tab=data');
    await page.getByRole('button', { name: 'Start for Real' }).click();
    const dialog = page.getByRole('dialog');
    const start = dialog.getByRole('button', { name: 'Start for Real' });
    await expect(start).toBeDisabled();
    await expect(dialog.getByRole('textbox', { name: /^Type / })).toBeVisible();
    const label = await dialog.getByText(/^Type .* to go on$/).textContent();
    const name = label!.replace(/^Type | to go on.*$/g, '');
    await dialog.getByRole('textbox', { name: /^Type / }).fill(name);
    await start.click();
    await expect(dialog.getByText('Enter the name of your business')).toBeVisible();
    await expectFitsEverywhere(page, 'settings-start-for-real');
    await dialog.getByRole('textbox', { name: 'Name of your business' }).fill('Ada & Co');
    await dialog.getByRole('textbox', { name: 'First Name' }).fill('Ada');
    await dialog.getByRole('textbox', { name: 'Last Name' }).fill('Real');
    await dialog.getByRole('textbox', { name: /^Email/ }).fill('ada@real.test');
    await dialog.getByRole('textbox', { name: /^Password/ }).fill('Truly-mine-1');
    await dialog.getByRole('textbox', { name: /^Confirm/ }).fill('Truly-mine-1');
    await start.dblclick();
    await expect(
      page.getByText('The workspace is yours. Connect a number in Settings to begin.'),
    ).toBeVisible();
    await expect(page.getByRole('list', { name: 'Getting started' })).toBeVisible();
    await page.goto('/dashboard/settings?tab=data');
    await expect(page.getByText('0 contacts, 0 templates, 0 campaigns')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Start for Real' })).toBeHidden();
    await page.goto('/dashboard/settings?tab=general');
    await expect(page.getByLabel('Business Name')).toHaveValue('Ada & Co');
  },
);
