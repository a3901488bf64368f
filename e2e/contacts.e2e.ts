import { readFile } from 'node:fs/promises';
import type { Download, Locator } from '@playwright/test';
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

// A refused save and a refused import are shown to the person; the browser notes them on its own.
test.use({ allowedConsole: [/Failed to load resource/] });

const phoneOf = (index: number) => `+4479110${String(10_000 + index)}`;

test('a contact is added, changed, deleted and brought back', async ({ openAs }) => {
  const page = await openAs('agent');
  await page.goto('/dashboard/contacts');
  await page.getByRole('button', { name: 'Add Contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Contact' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await dialog.getByLabel('Name').fill('Zoë Marsh');
  // Back, like Cancel, asks before what was typed is lost.
  await page.goBack();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
  await dialog.getByLabel('Phone').fill('+999 12345');
  await dialog.getByPlaceholder('Add a tag').fill('spring');
  await page.keyboard.press('Enter');
  await dialog.getByPlaceholder('Add a tag').fill('Spring');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: /^Remove tag/ })).toHaveCount(1);
  await save.click();
  await expect(dialog.getByText(/^No country has this number/)).toBeVisible();
  await dialog.getByLabel('Phone').fill('+44 7911 000001');
  await page.context().setOffline(true);
  await save.click();
  await expect(page.getByText(/^No connection/)).toBeVisible();
  await expect(dialog.getByLabel('Phone')).toHaveValue('+44 7911 000001');
  await page.context().setOffline(false);
  await save.click();
  await expect(page.getByText('Contact added successfully!')).toBeVisible();

  await page.getByRole('searchbox', { name: 'Search by name' }).fill('zoë');
  await expect(page).toHaveURL(/search=/);
  const row = page.getByRole('row').filter({ hasText: 'Zoë Marsh' });
  await expect(row).toContainText('+44 7911 000001');
  await row.getByRole('button', { name: 'Actions for Zoë Marsh' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Zoë March');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Contact updated successfully!')).toBeVisible();

  const changed = page.getByRole('row').filter({ hasText: 'Zoë March' });
  await changed.getByRole('button', { name: 'Actions for Zoë March' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this contact?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  // It goes after some seconds, unless it has the focus.
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();
  await expect(page.getByText('Contact deleted successfully!')).toBeVisible();
  await expect(page.getByText('No contacts found')).toBeVisible();
  await undo.press('Enter');
  await expect(changed).toBeVisible();
});

test(
  'two people edit one contact: the second is told and nothing is overwritten',
  WHOLE,
  async ({ openAs }) => {
    const first = await openAs('manager');
    const second = await openAs('agent');
    const created = await first.request.post('/api/contacts', {
      headers: actKey(),
      data: { name: 'Shared Person', phone: '+447911000002' },
    });
    const { id } = await created.json();
    for (const page of [first, second]) await page.goto(`/dashboard/contacts?dialog=edit&contact=${id}`);
    await second.getByRole('dialog').getByLabel('Email').fill('typed@example.com');
    await first.getByRole('dialog').getByLabel('Name').fill('Renamed Person');
    await first.getByRole('button', { name: 'Save' }).click();
    await expect(first.getByText('Contact updated successfully!')).toBeVisible();
    await second.getByRole('button', { name: 'Save' }).click();
    await expect(second.getByText(/^Someone else changed this contact/)).toBeVisible();
    await expect(second.getByRole('dialog').getByLabel('Email')).toHaveValue('typed@example.com');
    await expect(second.getByText('They changed: Name.')).toBeVisible();
    await second.getByRole('button', { name: 'Keep my changes' }).click();
    await expect(second.getByRole('dialog').getByLabel('Name')).toHaveValue('Renamed Person');
    await expect(second.getByRole('dialog').getByLabel('Email')).toHaveValue('typed@example.com');
    await first.request.delete(`/api/contacts/${id}`, { headers: actKey() });
    await second.getByRole('button', { name: 'Save' }).click();
    await expect(second.getByText(/^Somebody deleted this contact/)).toBeVisible();

    await second.getByRole('button', { name: 'Add as new contact' }).click();
    await second.getByRole('button', { name: 'Save' }).click();
    await expect(second.getByText('Contact added successfully!')).toBeVisible();
    await expect(second.getByRole('dialog')).toBeHidden();
  },
);

test(
  '300 contacts come from a CSV file with bad rows, and go out as a file again',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/contacts');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
    await page.setInputFiles('input[type=file]', {
      name: 'people.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('PK'),
    });
    await expect(dialog.getByText('Please select a JSON or CSV file.')).toBeVisible();
    const rows = Array.from(
      { length: 300 },
      (_, index) => `Person ${index},${index % 50 === 7 ? '' : phoneOf(index)},,vip;imported,active`,
    );
    rows.push(`Twice,${phoneOf(0)},,,`);
    await page.setInputFiles('input[type=file]', {
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Name,Phone,Email,Tags,Status', ...rows].join('\n')),
    });
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByText('Successfully imported 294 contacts!')).toBeVisible();
    await expect(
      page.getByText('7 contacts failed to import. Check the import results for details.'),
    ).toBeVisible();
    await expect(dialog.getByText('Row 8: Name and phone are required')).toBeVisible();
    await expect(dialog.getByText(`Row 301: Phone number ${phoneOf(0)} already exists`)).toBeVisible();
    for (const close of await dialog.getByRole('button', { name: 'Close' }).all())
      expect(await isUncovered(close), 'no notification lies over Close').toBe(true);
    await expectAccessible(page, 'contacts-import-results');
    await dialog.getByRole('link', { name: 'View these contacts' }).click();
    await expect(page).toHaveURL(/filter=import/);
    await expect(page.getByRole('row').filter({ hasText: 'Person 0' })).toBeVisible();

    await page.goto('/dashboard/contacts?filter=tag:imported&sort=name');
    await expect(page.getByRole('row').filter({ hasText: 'Person 0' })).toBeVisible();
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByRole('menuitem', { name: 'Export as CSV' })).toBeVisible();
    await inWhole(() => expectAccessible(page));
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^contacts-imported-\d{4}-\d\d-\d\d\.csv$/);
    await expect(page.getByText('Contacts exported as CSV successfully!')).toBeVisible();
    const lines = await readLines(await download);
    expect(lines).toHaveLength(295);
    expect(lines[1]).toBe(`Person 0,${phoneOf(0)},,vip;imported,active,,`);

    await page.getByRole('checkbox', { name: 'Select row: Person 1', exact: true }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Export' }).click();
    await expect(page.getByText('The selected contacts').first()).toBeVisible();
    const selected = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    expect((await readLines(await selected)).slice(1)).toEqual([
      `Person 1,${phoneOf(1)},,vip;imported,active,,`,
    ]);
  },
);

/** What becomes of a column of the file. */
function columnOf(dialog: Locator, heading: string): Locator {
  return dialog.getByLabel(`What the column “${heading}” becomes`);
}

function isUncovered(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

async function readLines(download: Download): Promise<string[]> {
  return (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
}

test('a broken file says why and keeps what was pasted', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/contacts?dialog=import');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Or paste contacts here').fill('{"people": []}');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(
    dialog.getByText('Import failed: Invalid JSON format. Expected an array of contacts.'),
  ).toBeVisible();
  await expect(dialog.getByLabel('Or paste contacts here')).toHaveValue('{"people": []}');
});

test(
  'a file of another program is read; Import waits for the columns that it needs',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    await page.goto('/dashboard/contacts?dialog=import');
    const dialog = page.getByRole('dialog');
    const start = dialog.getByRole('button', { name: 'Import', exact: true });
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Anzeige;Nummer;E-mail Address;Labels\nLee, Ann;+447911300077;;vip\n'),
    });
    await expect(columnOf(dialog, 'E-mail Address')).toHaveValue('email');
    await expect(dialog.getByText('2 of 4 columns are ignored.')).toBeVisible();
    await expect(dialog.getByText('+447911300077', { exact: true })).toBeVisible();
    await expect(start).toBeDisabled();
    await dialog.getByLabel('Name', { exact: true }).selectOption('Anzeige · Lee, Ann');
    await expect(dialog.getByText('Choose the column of Phone.')).toBeVisible();
    await keepPicture(page, 'contacts-import-columns');
    await columnOf(dialog, 'Nummer').selectOption({ label: 'Phone' });
    await expect(dialog.getByText(/are ignored/)).toBeHidden();
    await start.click();
    await expect(page.getByText('Successfully imported 1 contacts!')).toBeVisible();
  },
);

test(
  'a file with first and last name apart and numbers of home says what it needs',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin', { theme: 'dark', width: 360 });
    await page.goto('/dashboard/contacts?dialog=import');
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Or paste contacts here')
      .fill('Vorname;Nachname;Mobilnummer\nJürgen;Groß;0171/1239001\nKäthe;Weiß;+49 171 1239002');
    await expect(columnOf(dialog, 'Vorname')).toHaveValue('firstName');
    await expect(columnOf(dialog, 'Nachname')).toHaveValue('lastName');
    await dialog.getByRole('combobox', { name: 'Numbers without + or 00 are from' }).fill('Germ');
    await page.getByRole('option', { name: 'Germany' }).click();
    await expectAccessible(page, 'contacts-import-country');
    await expectNoSidewaysScroll(page);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByText('Successfully imported 2 contacts!')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const row = page.getByRole('row').filter({ hasText: 'Jürgen Groß' });
    await expect(row).toContainText('+49 171 1239001');
  },
);

test(
  'a file of a shop carries opt-outs; rows that failed are downloaded, mended and imported again',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin', { theme: 'dark', width: 360 });
    await page.goto('/dashboard/contacts?dialog=import');
    const dialog = page.getByRole('dialog');
    const file = dialog.locator('input[type=file]');
    const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    const rows = ['Uwe Nein;+447911400001;nein', 'Ida Ja;+447911400002;ja', 'Tom;+447911400003;vielleicht'];
    await file.setInputFiles(csv('shop.csv', ['Name;Handy;Newsletter', ...rows].join('\n')));
    await expect(columnOf(dialog, 'Newsletter')).toHaveValue('consent');
    await dialog.getByLabel('Everyone marked with yes in this file agreed').check();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await keepPicture(page, 'contacts-import-consent');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(dialog.getByText(/^1 person is opted out by the file/)).toBeVisible();
    await expect(dialog.getByText('Row 3: The marketing consent is neither yes nor no')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await keepPicture(page, 'contacts-import-failed-rows');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download these rows' }).click();
    const lines = await readLines(await download);
    expect(lines).toEqual([
      '\ufeffName;Handy;Newsletter;Import error',
      'Tom;+447911400003;vielleicht;Row 3: The marketing consent is neither yes nor no',
    ]);
    await dialog.getByRole('button', { name: 'Import Another File' }).click();
    await file.setInputFiles(csv('mended.csv', lines.join('\n').replace('vielleicht', '')));
    await expect(columnOf(dialog, 'Import error')).toHaveValue('');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByText('Successfully imported 1 contacts!')).toBeVisible();
    const { items } = await (await page.request.get('/api/contacts?search=4479114000')).json();
    const optedOut = items.map((one: { name: string; optedOutAt: string | null }) => [
      one.name,
      one.optedOutAt !== null,
    ]);
    expect(Object.fromEntries(optedOut)).toEqual({ 'Uwe Nein': true, 'Ida Ja': false, Tom: false });
  },
);

test('a file with other headings is mapped, checked, imported as an update and taken back', async ({
  openAs,
}) => {
  const page = await openAs('manager');
  await page.request.post('/api/contacts', {
    headers: actKey(),
    data: { name: 'Old Name', phone: '+447911200001' },
  });
  await page.goto('/dashboard/contacts?dialog=import');
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Or paste contacts here')
    .fill('Full Name,Mobile\nNew Name,+447911200001\nSomebody,+447911200002');
  await expect(columnOf(dialog, 'Mobile')).toHaveValue('phone');
  await dialog.getByLabel('Update the contact').click();
  await dialog.getByRole('button', { name: 'Check First' }).click();
  await expect(dialog.getByText('Nothing has been changed yet.')).toBeVisible();
  await expect(dialog.getByText('1 of them would update a contact that is already here.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('Successfully imported 2 contacts!')).toBeVisible();
  await dialog.getByRole('button', { name: 'Undo Import' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo Import' }).click();
  await expect(page.getByText('Import undone: 1 removed, 1 restored.')).toBeVisible();
  const found = await page.request.get('/api/contacts?search=4479112000');
  expect((await found.json()).items).toMatchObject([{ name: 'Old Name' }]);
});

test(
  'rows whose contacts are here already become an update, from the results and from those of an earlier import',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    for (const at of [1, 2])
      await page.request.post('/api/contacts', {
        headers: actKey(),
        data: { name: `Old ${at}`, phone: `+44791130000${at}` },
      });
    await page.goto('/dashboard/contacts?dialog=import');
    const dialog = page.getByRole('dialog');
    const update = dialog.getByRole('button', { name: 'Update these contacts instead' });
    const paste = async (text: string) => {
      await dialog.getByLabel('Or paste contacts here').fill(text);
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    };
    await paste('Name,Mobile\nNew 1,+447911300001\nNew 3,+447911300003');
    await expect(dialog.getByText(/Phone number \+447911300001 already exists/)).toBeVisible();
    // Whom the first one added stays as somebody left them since.
    const added = await (await page.request.get('/api/contacts?search=447911300003')).json();
    const [{ id, version }] = added.items;
    await page.request.patch(`/api/contacts/${id}`, { data: { version, name: 'Mended 3' } });
    await update.click();
    await expect(update).toBeHidden();
    await dialog.getByRole('button', { name: 'Import Another File' }).click();
    await paste('Name,Mobile\nNew 2,+447911300002');
    await expect(update).toBeVisible();
    // What is kept of it is the server's: nothing of the file is in this page any more.
    await page.reload();
    await dialog.getByRole('button', { name: 'Results of' }).first().click();
    await update.click();
    await expect(dialog.getByText('These are the rows of the file that were not imported.')).toBeVisible();
    await expect(dialog.getByLabel('Update the contact')).toBeChecked();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByText('Successfully imported 1 contacts!')).toBeVisible();
    const { items } = await (await page.request.get('/api/contacts?search=44791130000')).json();
    expect(items.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'Mended 3',
      'New 1',
      'New 2',
    ]);
  },
);

test(
  'several contacts get a tag at once; the page of one shows consent and timeline',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('agent');
    for (const index of [1, 2]) {
      const added = await page.request.post('/api/contacts', {
        headers: actKey(),
        data: { name: `Group Member ${index}`, phone: `+44791150000${index}` },
      });
      expect(added.ok(), await added.text()).toBe(true);
    }
    await page.goto('/dashboard/contacts?search=group%20member');
    await page.getByRole('row').filter({ hasText: 'Group Member 1' }).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByRole('button', { name: 'Add Tags' }).click();
    await page.getByRole('dialog').getByPlaceholder('Add a tag').fill('autumn');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Add Tags' }).click();
    await expect(page.getByText('2 contacts changed.')).toBeVisible();

    await page.getByRole('row').filter({ hasText: 'Group Member 2' }).click();
    await expect(page.getByRole('heading', { name: 'Group Member 2' })).toBeVisible();
    await page.getByRole('button', { name: 'Record Consent' }).click();
    await page.getByLabel('How and in which words').fill('Asked us by telephone');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Opted out: gets no marketing messages.')).toBeVisible();
    await expect(page.getByText('Asked us by telephone')).toHaveCount(2);
    await expectAccessible(page, 'contact-page');
  },
);

test('a viewer reads and changes nothing', WHOLE, async ({ openAs }) => {
  const page = await openAs('viewer');
  await page.goto('/dashboard/contacts');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  for (const name of [/^Add Contact$/, /^Import$/, /^Export$/, /^Actions for /])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
});

test('the list and its dialogs are accessible and fit a telephone', async ({ openAs }) => {
  const page = await openAs('admin', { width: 360 });
  await page.goto('/dashboard/contacts');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page, 'contacts-360');
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Show').selectOption('blocked');
  await expect(page.getByRole('button', { name: 'Filters' })).toContainText('1');
  await inWhole(() => expectAccessible(page, 'contacts-filters-360'));
  for (const name of ['new', 'import']) {
    await page.goto(`/dashboard/contacts?dialog=${name}`);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, `contacts-${name}-360`);
  }
});
