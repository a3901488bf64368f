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

/** By typing, as a person finds one of many. */
async function chooseSubject(page: Page, n: number, subject: string): Promise<void> {
  const box = page.getByRole('combobox', { name: `Condition ${n}`, exact: true });
  await box.click();
  await box.fill(subject);
  await page.getByRole('option', { name: subject }).first().click();
}

// A name that is taken is shown to the person; the browser notes the refusal on its own.
test.use({ allowedConsole: [/Failed to load resource/] });

test('a segment is made, shown, edited and deleted', async ({ openAs }) => {
  const page = await openAs('admin');
  for (const [index, tags] of [['gold'], ['gold', 'new'], ['silver']].entries())
    await page.request.post('/api/contacts', {
      headers: actKey(),
      data: { name: `Jeweller ${index}`, phone: `+44791100010${index}`, tags },
    });
  await page.goto('/dashboard/contacts');
  await page.getByRole('button', { name: 'Segments' }).click();
  await page.getByRole('menuitem', { name: 'New Segment' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Segment' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await chooseSubject(page, 1, 'Created in the last');
  await dialog.getByLabel('Value of condition 1').fill('0.5');
  // What is missing is said at its place, and the first of it has the focus.
  await save.click();
  await expect(dialog.getByText('The segment needs a name.')).toBeVisible();
  await expect(dialog.getByLabel('Segment name')).toBeFocused();
  await expect(dialog.getByLabel('Value of condition 1')).toHaveAccessibleDescription(
    /Condition 1 needs a whole number of days from 1 to 3,650/,
  );
  await keepPicture(page, 'segment-why-not');
  await dialog.getByLabel('Segment name').fill('Golden');
  await chooseSubject(page, 1, 'Has the tag');
  await dialog.getByLabel('Value of condition 1').fill('gold');
  await expect(dialog.getByRole('status')).toHaveText('2 contacts');
  await dialog.getByRole('button', { name: 'Add condition' }).click();
  await chooseSubject(page, 2, 'Does not have the tag');
  await dialog.getByLabel('Value of condition 2').fill('new');
  await expect(dialog.getByRole('status')).toHaveText('1 contact');
  await expectAccessible(page, 'segment-dialog');
  await save.click();
  await expect(page.getByText('Segment saved.')).toBeVisible();
  await expect(page).toHaveURL(/filter=segment/);
  await expect(page.getByRole('row').filter({ hasText: 'Jeweller' })).toHaveCount(1);

  await page.reload();
  await expect(page.getByLabel('Show')).toHaveValue(/^segment:/);
  await page.getByRole('button', { name: 'Segments' }).click();
  await page.getByRole('menuitem', { name: 'Golden', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Jeweller' })).toHaveCount(3);
  await page.getByRole('button', { name: 'Segments' }).click();
  await page.getByRole('menuitem', { name: 'Golden', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Jeweller' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Segments' }).click();
  await page.getByRole('menuitem', { name: 'Edit Golden' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Segment' });
  await edit.getByLabel('Who belongs to it').click();
  await page.getByRole('option', { name: 'Contacts that meet any of these' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Jeweller 2' })).toBeVisible();

  await page.getByRole('button', { name: 'Segments' }).click();
  await page.getByRole('menuitem', { name: 'New Segment' }).click();
  await dialog.getByLabel('Segment name').fill('golden');
  await dialog.getByLabel('Value of condition 1').fill('gold');
  await save.click();
  await expect(dialog.getByText('A segment with this name already exists.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();

  await page.getByRole('button', { name: 'Segments' }).click();
  await page.getByRole('menuitem', { name: 'Delete Golden' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Segment deleted.')).toBeVisible();
  await expect(page).not.toHaveURL(/filter=/);
  await expect(page.getByRole('row').filter({ hasText: 'Jeweller' })).toHaveCount(3);
});

test(
  'a custom field is made, filled in, asked for by a segment and put into a message',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    await page.goto('/dashboard/contacts');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Custom Fields' }).click();
    await page.getByRole('button', { name: 'New Field' }).click();
    const form = page.getByRole('dialog', { name: 'New Field' });
    await form.getByLabel('Field name').fill('Shoe size');
    await expect(form.getByText('{{shoe_size}}')).toBeVisible();
    await form.getByLabel('Type').selectOption('Number');
    await form.getByRole('button', { name: 'Save' }).click();
    const list = page.getByRole('dialog', { name: 'Custom Fields' });
    await expect(list.getByText('1 of 50 fields')).toBeVisible();
    await expectAccessible(page, 'custom-fields');
    await list.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('button', { name: 'Add Contact' }).click();
    const contact = page.getByRole('dialog', { name: 'Add Contact' });
    await contact.getByLabel('Name *').fill('Bigfoot');
    await contact.getByLabel('Phone *').fill('+447911000200');
    await contact.getByLabel('Shoe size').fill('large');
    await contact.getByRole('button', { name: 'Save' }).click();
    await expect(contact.getByText('Please enter a number, such as 12.5.')).toBeInViewport();
    await contact.getByLabel('Shoe size').fill('48.5');
    await contact.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'Bigfoot' }).click();
    await expect(page.getByText('48.5')).toBeVisible();

    await page.goto('/dashboard/contacts?dialog=segment');
    const segment = page.getByRole('dialog', { name: 'New Segment' });
    await segment.getByLabel('Segment name').fill('Big feet');
    await chooseSubject(page, 1, 'Shoe size');
    await segment.getByLabel('Comparison of condition 1').click();
    await page.getByRole('option', { name: 'is greater than' }).click();
    await segment.getByLabel('Value of condition 1').fill('48');
    await expect(segment.getByRole('status')).toHaveText('1 contact');
    await segment.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Segment saved.')).toBeVisible();

    await page.goto('/dashboard/contacts?dialog=fields');
    await list.getByRole('button', { name: 'Delete Shoe size' }).click();
    await expect(list.getByText('it is used by the segment Big feet')).toBeVisible();

    await page.goto('/dashboard/bulk-message');
    await page.getByRole('button', { name: /^Select all/ }).click();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('button', { name: 'Custom field' }).click();
    await page.getByRole('menuitem', { name: /Shoe size/ }).click();
    await expect(page.getByLabel('Custom message')).toHaveValue('{{shoe_size}}');
    await expect(page.getByText(/Contacts without a value for/)).toBeVisible();
    await page.getByLabel('Text for shoe_size when the contact has no value').fill('your size');
    await expect(page.getByText(/Contacts without a value for/)).toHaveCount(0);
    await inWhole(() => expectAccessible(page));
  },
);

test('on a phone in the dark the dialog fits, and a viewer makes no segments', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager', { width: 360, theme: 'dark' });
  await page.goto('/dashboard/contacts?dialog=segment');
  const dialog = page.getByRole('dialog', { name: 'New Segment' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'segment-dialog-phone');
  await expectNoSidewaysScroll(page);
  const rules = { match: 'all', conditions: [{ kind: 'status_is', value: 'blocked' }] };
  await page.request.post('/api/segments', { headers: actKey(), data: { name: 'Blocked ones', rules } });
  const viewer = await openAs('viewer');
  await viewer.goto('/dashboard/contacts');
  await expect(viewer.getByLabel('Show')).toBeVisible();
  // They look at those that there are.
  await viewer.getByRole('button', { name: 'Segments' }).click();
  await viewer.getByRole('menuitem', { name: 'Blocked ones' }).click();
  await expect(viewer).toHaveURL(/filter=segment/);
  await viewer.getByRole('button', { name: 'Segments' }).click();
  await expect(viewer.getByRole('menuitem', { name: /New Segment|Edit|Delete/ })).toHaveCount(0);
});
