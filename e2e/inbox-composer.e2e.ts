import { actKey, callSandbox, expect, expectFitsEverywhere, keepPicture, test } from './journey.ts';

type Sent = { messages: { to: string; body: { type: string; text?: { body: string } } }[] };

test('an answer is written: a draft that survives, a quick reply, marks, an emoji, a note and a window that closes', async ({
  openAs,
  product,
}) => {
  const page = await openAs('admin');
  const from = '14155550199';
  await callSandbox(product, '/_sandbox/whatsapp/inbound', {
    from,
    name: 'Dora Vale',
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
  await page.goto('/dashboard/inbox');
  await page.getByRole('link', { name: /Dora Vale/ }).click();
  const field = page
    .getByRole('textbox', { name: 'Message to Dora Vale' })
    .or(page.getByRole('combobox', { name: 'Message to Dora Vale' }));
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toBeDisabled();
  await expect(page.getByText(/left to write/)).toBeVisible();
  await field.fill('  ');
  await expect(send).toBeDisabled();

  // What was typed is there after a reload.
  await field.fill('Yes, we do');
  await page.reload();
  await expect(field).toHaveValue('Yes, we do');
  await field.press('End');
  await field.press('Shift+Enter');
  await field.pressSequentially('and 41');
  await field.press('Control+a');
  await field.press('Control+b');
  await expect(field).toHaveValue('*Yes, we do\nand 41*');
  await keepPicture(page, 'composer-text');
  await field.press('Enter');
  await expect(field).toHaveValue('');
  await expect(field).toBeFocused();
  await expect
    .poll(async () =>
      (await callSandbox<Sent>(product, '/_sandbox/whatsapp/messages')).messages.map(
        ({ body }) => body.text?.body,
      ),
    )
    .toContain('*Yes, we do\nand 41*');

  // A quick reply asks for what nobody knows.
  await field.pressSequentially('/ho');
  await expect(page.getByRole('option', { name: /Opening hours/ })).toBeVisible();
  await keepPicture(page, 'composer-quick-reply');
  await field.press('Enter');
  const missing = page.getByRole('dialog', { name: 'Complete “Opening hours”' });
  await missing.getByLabel('{{time}}').fill('9:00');
  await missing.getByRole('button', { name: 'Insert' }).click();
  await expect(field).toHaveValue('Dear Dora Vale, we open at 9:00.');
  await page.getByRole('button', { name: 'Emoji' }).click();
  await page.getByPlaceholder('Search emoji').fill('waving hand');
  await keepPicture(page, 'composer-emoji');
  await page
    .getByRole('button', { name: /^waving hand/ })
    .first()
    .click();
  await expect(field).toHaveValue(/9:00\.👋/u);
  await expectFitsEverywhere(page, 'composer');

  // A note has a text of its own.
  await page.getByRole('tab', { name: 'Note' }).click();
  const note = page.getByRole('textbox', { name: 'Note for colleagues' });
  await note.fill('She is a regular');
  await keepPicture(page, 'composer-note');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(note).toHaveValue('');
  await page.getByRole('tab', { name: 'Reply' }).click();
  await expect(field).toHaveValue(/9:00\.👋/u);
});
