import { expect, expectAccessible, expectNoSidewaysScroll, keepPicture, test } from './journey.ts';

// A name that is taken is shown to the person; the browser notes the refusal on its own.
test.use({ allowedConsole: [/Failed to load resource/] });

test('a segment is made, shown, edited and deleted', async ({ openAs }) => {
  const page = await openAs('admin');
  for (const [index, tags] of [['gold'], ['gold', 'new'], ['silver']].entries())
    await page.request.post('/api/contacts', {
      data: { name: `Member ${index}`, phone: `+44791100010${index}`, tags },
    });
  await page.goto('/dashboard/contacts');
  await page.getByRole('button', { name: 'Segments' }).click();
  await page.getByRole('menuitem', { name: 'New Segment' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Segment' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await dialog.getByLabel('Segment name').fill('Golden');
  await dialog.getByLabel('Value of condition 1').fill('gold');
  await expect(dialog.getByRole('status')).toHaveText('2 contacts');
  await dialog.getByRole('button', { name: 'Add condition' }).click();
  await dialog.getByLabel('Condition 2', { exact: true }).selectOption('Has not the tag');
  await expect(save).toBeDisabled();
  await dialog.getByLabel('Value of condition 2').fill('new');
  await expect(dialog.getByRole('status')).toHaveText('1 contact');
  await expectAccessible(page);
  await keepPicture(page, 'segment-dialog');
  await save.click();
  await expect(page.getByText('Segment saved.')).toBeVisible();
  await expect(page).toHaveURL(/filter=segment/);
  await expect(page.getByRole('row').filter({ hasText: 'Member' })).toHaveCount(1);

  await page.reload();
  await expect(page.getByLabel('Show')).toHaveValue(/^segment:/);
  await page.getByRole('button', { name: 'Segments' }).click();
  await page.getByRole('menuitem', { name: 'Edit Golden' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Segment' });
  await edit.getByLabel('Who belongs to it').selectOption('Contacts that meet any condition');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Member 2' })).toBeVisible();

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
  await expect(page.getByRole('row').filter({ hasText: 'Member' })).toHaveCount(3);
});

test('on a phone in the dark the dialog fits, and a viewer makes no segments', async ({ openAs }) => {
  const page = await openAs('manager', { width: 360, theme: 'dark' });
  await page.goto('/dashboard/contacts?dialog=segment');
  const dialog = page.getByRole('dialog', { name: 'New Segment' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await keepPicture(page, 'segment-dialog-phone');
  const viewer = await openAs('viewer');
  await viewer.goto('/dashboard/contacts');
  await expect(viewer.getByLabel('Show')).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Segments' })).toHaveCount(0);
});
