import type { Page } from '@playwright/test';
import {
  actKey,
  callSandbox,
  expect,
  expectFitsEverywhere,
  keepPicture,
  test,
  inWhole,
  WHOLE,
} from './journey.ts';

type Conversation = {
  id: string;
  contact: { name: string };
  lastMessage: { line: { text: string }; type: string; direction: string };
};

/** The conversation that moved last. */
async function readFirst(page: Page): Promise<Conversation | undefined> {
  const answer = await page.request.get('/api/conversations');
  return ((await answer.json()) as { items: Conversation[] }).items[0];
}

test('an answer is written: a draft that survives, a quick reply, marks, an emoji, a file, a time to leave at, a note', async ({
  openAs,
  product,
}) => {
  const page = await openAs('admin');
  const from = '14155550143';
  await callSandbox(product, '/_sandbox/whatsapp/inbound', {
    from,
    name: 'Zora Quill',
    text: 'Do you have size 40?',
  });
  await page.request.post('/api/quick-replies', {
    headers: actKey(),
    data: {
      shortcut: 'hours',
      title: 'Opening hours',
      text: 'Dear {{name}}, we open at {{time}}.',
      isShared: true,
    },
  });
  await expect.poll(async () => (await readFirst(page))?.contact.name).toBe('Zora Quill');
  await page.goto(`/dashboard/inbox/${(await readFirst(page))!.id}`);
  const field = page
    .getByRole('textbox', { name: 'Message to Zora Quill' })
    .or(page.getByRole('combobox', { name: 'Message to Zora Quill' }));
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toBeDisabled();
  await expect(page.getByText(/left to write/)).toBeVisible();
  await field.fill('  ');
  await expect(send).toBeDisabled();

  // What was typed is there after a reload, with what it answers.
  await page.getByRole('log').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('r');
  await expect(page.getByText('Reply to Zora Quill')).toBeVisible();
  await field.fill('Yes, we do');
  await page.reload();
  await expect(field).toHaveValue('Yes, we do');
  await expect(page.getByText('Reply to Zora Quill')).toBeVisible();
  await field.press('End');
  await field.press('Shift+Enter');
  await field.pressSequentially('and 41');
  await field.press('Control+a');
  await field.press('Control+b');
  await expect(field).toHaveValue('*Yes, we do*\n*and 41*');
  await keepPicture(page, 'composer-text');
  await field.press('Enter');
  await expect(field).toHaveValue('');
  await expect(field).toBeFocused();
  await expect
    .poll(async () => (await readFirst(page))?.lastMessage)
    .toMatchObject({ direction: 'out', line: { kind: 'text', text: 'Yes, we do and 41' } });

  // A quick reply asks for what nobody knows.
  await field.pressSequentially('/ho');
  await expect(page.getByRole('option', { name: /Opening hours/ })).toBeVisible();
  await keepPicture(page, 'composer-quick-reply');
  await field.press('Enter');
  const missing = page.getByRole('dialog', { name: 'Complete “Opening hours”' });
  await missing.getByLabel('{{time}}').fill('9:00');
  await missing.getByRole('button', { name: 'Insert' }).click();
  await expect(field).toHaveValue('Dear Zora Quill, we open at 9:00.');
  await page.getByRole('button', { name: 'Emoji' }).click();
  await page.getByPlaceholder('Search emoji').fill('waving hand');
  await keepPicture(page, 'composer-emoji');
  await page
    .getByRole('button', { name: /^waving hand/ })
    .first()
    .click();
  await expect(field).toHaveValue(/9:00\.👋/u);
  await inWhole(() => expectFitsEverywhere(page, 'composer'));

  // A file that the platform does not take is refused before it leaves; another one stands above the text.
  const files = page.locator('input[type=file][multiple]');
  await files.setInputFiles({
    name: 'run.exe',
    mimeType: 'application/x-msdownload',
    buffer: Buffer.from('MZ'),
  });
  await expect(page.getByText('run.exe is of a kind that the platform does not take.')).toBeVisible();
  await files.setInputFiles({ name: 'sizes.txt', mimeType: 'text/plain', buffer: Buffer.from('40, 41') });
  await expect(page.getByRole('list', { name: 'Files that leave with this message' })).toContainText(
    'sizes.txt',
  );
  await keepPicture(page, 'composer-file');

  await page.getByRole('button', { name: 'Remove sizes.txt' }).click();
  await expect(field).toBeFocused();
  await files.setInputFiles({ name: 'sizes.txt', mimeType: 'text/plain', buffer: Buffer.from('40, 41') });
  await send.click();
  await expect(field).toHaveValue('');
  await expect
    .poll(async () => (await readFirst(page))?.lastMessage)
    .toMatchObject({ type: 'media', direction: 'out' });
  await field.fill('See you tomorrow');

  // It leaves at a time, and is taken back.
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('menuitem', { name: /In an hour/ }).click();
  await expect(field).toHaveValue('');
  await page.getByRole('button', { name: '1 scheduled message' }).click();
  await keepPicture(page, 'composer-scheduled');
  const acts = page.getByRole('button', { name: /What can be done with/ });
  await acts.click();
  await page.getByRole('menuitem', { name: 'Change text or time' }).click();
  const change = page.getByRole('dialog', { name: 'Change text or time' });
  await change.getByLabel('Text').fill('See you on Monday');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('See you on Monday')).toBeVisible();
  await acts.click();
  await page.getByRole('menuitem', { name: 'Do not send' }).click();
  await expect(page.getByText('The message will not be sent.')).toBeVisible();
  await expect(page.getByRole('button', { name: '1 scheduled message' })).toBeHidden();

  // A note has a text of its own.
  await page.getByRole('tab', { name: 'Note' }).click();
  const note = page.getByRole('textbox', { name: 'Note for colleagues' });
  await note.fill('She is a regular');
  await keepPicture(page, 'composer-note');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(note).toHaveValue('');
  const kept = page.getByRole('article', { name: /^Note/ });
  await kept.getByRole('button', { name: 'Edit note' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit note' });
  await edit.getByRole('textbox').fill('She is a friend');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(kept).toContainText('She is a friend');
  await kept.getByRole('button', { name: 'Edited' }).click();
  const earlier = page.getByRole('dialog', { name: 'Earlier versions of this note' });
  await expect(earlier).toContainText('She is a regular');
  await earlier.getByRole('button', { name: 'Close' }).last().click();

  // What the window closes on is kept, and a template is the way out.
  await page.getByRole('tab', { name: 'Reply' }).click();
  await field.fill('One more thing');
  await page.getByRole('button', { name: 'Template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Zora Quill a template' });
  await dialog.getByRole('radio').first().check();
  await keepPicture(page, 'composer-template');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('One more thing');
});

test(
  'what cannot be written says why: a template opens a conversation, a blocked contact gets nothing, a viewer reads',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('manager');
    const added = await page.request.post('/api/contacts', {
      headers: actKey(),
      data: { name: 'Nils Holm', phone: '+14155550144' },
    });
    const { id: contactId } = (await added.json()) as { id: string };
    const opened = await page.request.post('/api/conversations', { headers: actKey(), data: { contactId } });
    const { id } = (await opened.json()) as { id: string };
    await page.goto(`/dashboard/inbox/${id}`);
    await expect(page.getByText('Nils Holm has not written yet.')).toBeVisible();
    const field = page.getByRole('textbox', { name: 'Message to Nils Holm' });
    await field.fill('Hello Nils');
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
    await expect(page.getByText('What you wrote is kept below.')).toBeVisible();
    await inWhole(() => expectFitsEverywhere(page, 'composer-closed'));
    await page.getByRole('button', { name: 'Choose a template' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send Nils Holm a template' });
    await dialog.getByRole('radio', { name: /Order Update/ }).check();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect(dialog).toBeHidden();
    await expect
      .poll(async () => (await readFirst(page))?.lastMessage)
      .toMatchObject({ type: 'template', direction: 'out' });
    // An answer opens the window, and what was typed can leave.
    await callSandbox(product, '/_sandbox/whatsapp/inbound', { from: '14155550144', text: 'Thanks' });
    await expect(page.getByText(/left to write/)).toBeVisible();
    await expect(field).toHaveValue('Hello Nils');
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();

    const viewer = await openAs('viewer');
    await viewer.goto(`/dashboard/inbox/${id}`);
    await expect(viewer.getByText('You can read this conversation.')).toBeVisible();
    await expect(viewer.getByRole('textbox', { name: 'Message to Nils Holm' })).toBeHidden();
  },
);

test('quick replies are kept, found, changed and deleted', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/quick-replies');
  await page.getByRole('button', { name: 'New Quick Reply' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Quick Reply' });
  await dialog.getByLabel('Shortcut').fill('Thank you');
  await expect(dialog.getByText('Typed as /thank-you')).toBeVisible();
  await dialog.getByLabel('Title').fill('Thanks');
  await dialog.getByLabel('Text', { exact: true }).fill('Thank you, ');
  await dialog.getByRole('button', { name: '{{name}}' }).click();
  await dialog.getByLabel('Button 1').fill('You are welcome');
  await dialog.getByLabel('Folder').fill('Shop');
  await expectFitsEverywhere(page, 'quick-reply-form');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Quick reply saved.')).toBeVisible();
  await page.getByPlaceholder('Search quick replies').fill('/thank');
  await page.getByLabel('Folder').selectOption('Shop');
  await expect(page.getByRole('row').filter({ hasText: '/thank-you' })).toHaveCount(1);
  await keepPicture(page, 'quick-replies');
  await page.getByRole('row').filter({ hasText: '/thank-you' }).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Quick reply deleted.')).toBeVisible();
});
