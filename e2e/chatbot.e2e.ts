import {
  callSandbox,
  expect,
  expectFitsEverywhere,
  expectWordsFit,
  inWhole,
  test,
  WHOLE,
} from './journey.ts';

test('a bot is turned on, answers a customer by a flow of its own, says why, and is taken over', async ({
  openAs,
  product,
}) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/chatbot');
  await expect(page.getByRole('heading', { name: 'AI Chatbot', level: 1 })).toBeVisible();
  await expect(page.getByText('Bot Inactive')).toBeVisible();
  await expect(page.getByText('Select a conversation', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /Ben Osei/ })).toBeVisible();
  await expectFitsEverywhere(page, 'chatbot-sample');

  await page.getByRole('button', { name: 'Create Flow' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Flow' });
  await dialog.getByLabel('Name').fill('Shop hours');
  await dialog.getByLabel('Keywords').fill('shop hours|closed');
  await dialog.getByLabel('Text', { exact: true }).fill('We are open from 9 to 17.');
  await inWhole(() => expectFitsEverywhere(page, 'chatbot-flow'));
  await dialog.getByRole('button', { name: 'Save' }).dblclick();
  await expect(dialog).toHaveCount(0);
  const cards = page.getByRole('list', { name: 'Bot Flows' }).getByRole('listitem');
  await expect(cards).toHaveCount(3);
  await page.getByRole('switch', { name: 'Shop hours is active' }).click();
  await expect(page.getByText('Shop hours is active. It answers once the bot is turned on.')).toBeVisible();
  await expectFitsEverywhere(page, 'chatbot-flows');

  await page.getByRole('button', { name: 'Turn On' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn On' }).click();
  await expect(page.getByText('Bot Active')).toBeVisible();

  const write = (text: string) =>
    callSandbox(product, '/_sandbox/whatsapp/inbound', { from: '4915112340001', name: 'Jana Vogel', text });
  await write('What are your shop hours?');
  await page.getByRole('tab', { name: 'Conversations' }).click();
  await page.getByRole('link', { name: /Jana Vogel/ }).click();
  await expect(page.getByText('We are open from 9 to 17.').last()).toBeVisible();
  await page.getByRole('button', { name: 'Why These Answers' }).click();
  const why = page.getByRole('dialog', { name: 'Why These Answers' });
  await expect(
    why.getByText('The message has “shop hours”, with which the flow “Shop hours” begins.'),
  ).toBeVisible();
  await expectFitsEverywhere(page, 'chatbot-why');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Take Over' }).click();
  await expect(page.getByRole('button', { name: 'Hand Back' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Message to Jana Vogel' }).fill('Ann here, I can help.');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ann here, I can help.').last()).toBeVisible();
  await page.getByRole('combobox', { name: 'Status' }).last().click();
  await page.getByRole('listbox').getByRole('option', { name: 'Active' }).click();
  await expect(page.getByRole('button', { name: 'Take Over' })).toBeVisible();
  await expectFitsEverywhere(page, 'chatbot-chat');

  await page.getByRole('tab', { name: 'Analytics' }).click();
  await expect(page.getByText('My last order').first()).toBeVisible();
  await expectFitsEverywhere(page, 'chatbot-analytics');

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Response Delay (ms)').fill('5001');
  await expect(page.getByRole('button', { name: 'Save Settings' })).toBeDisabled();
  await page.getByLabel('Response Delay (ms)').fill('0');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(page.getByText('Settings saved.')).toBeVisible();
  await expectFitsEverywhere(page, 'chatbot-settings');
  await inWhole(() => expectWordsFit(page, 'chatbot-settings'));
});

test('who may only look sees the bot, and changes nothing', WHOLE, async ({ openAs }) => {
  const page = await openAs('viewer');
  await page.goto('/dashboard/chatbot?tab=settings');
  await expect(page.getByText('You can see these settings, but not change them.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create Flow' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Turn O/ })).toHaveCount(0);
});

test('the AI model writes a reply into the field, which an agent undoes or sends', async ({
  openAs,
  product,
}) => {
  const page = await openAs('admin');
  const from = { from: '4915112340002', name: 'Kim Park' };
  await callSandbox(product, '/_sandbox/whatsapp/inbound', { ...from, text: 'Where is my parcel?' });
  await page.goto('/dashboard/inbox');
  await page.getByRole('link', { name: /Kim Park/ }).click();
  const open = page.getByRole('button', { name: 'Write with AI' });
  await open.click();
  await page.getByRole('menuitem', { name: /Connect a model/ }).click();
  await page.getByRole('button', { name: 'Connect a model' }).click();
  const dialog = page.getByRole('dialog', { name: 'AI model' });
  await dialog.getByRole('button', { name: 'Use the sandbox' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await callSandbox(product, '/_sandbox/openai/behaviour', {
    answers: [{ contains: 'parcel', text: 'It arrives tomorrow.', confidence: 0.9 }],
  });

  await page.goto('/dashboard/inbox');
  await page.getByRole('link', { name: /Kim Park/ }).click();
  const field = page.getByRole('textbox', { name: 'Message to Kim Park' });
  await open.click();
  await inWhole(() => expectFitsEverywhere(page, 'inbox-ai'));
  await page.getByRole('menuitem', { name: 'Suggest a reply' }).click();
  await expect(field).toHaveValue('It arrives tomorrow.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(field).toHaveValue('');
  await open.click();
  await page.getByRole('menuitem', { name: 'Summarize the conversation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save as note' }).dblclick();
  await expect(page.getByRole('log').getByText('It arrives tomorrow.')).toHaveCount(1);
});
