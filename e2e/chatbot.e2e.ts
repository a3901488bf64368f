import {
  callSandbox,
  expect,
  expectFitsEverywhere,
  expectWordsFit,
  inWhole,
  test,
  WHOLE,
} from './journey.ts';
import type { Product } from './run-product.ts';

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
  await page.getByRole('button', { name: 'Actions for Shop hours' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this flow?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(cards).toHaveCount(3);
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
  await page.getByRole('combobox', { name: 'Status' }).first().click();
  await page.getByRole('option', { name: 'Resolved' }).click();
  await expect(page.getByText('No conversations found', { exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Analytics' }).click();
  await expect(page.getByText('My last order').first()).toBeVisible();
  await expectFitsEverywhere(page, 'chatbot-analytics');

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Response Delay (ms)').fill('5001');
  await expect(page.getByRole('button', { name: 'Save Settings' })).toBeDisabled();
  await page.getByLabel('Response Delay (ms)').fill('0');
  await page.getByRole('button', { name: 'Add words of all five languages' }).click();
  await expect(page.getByLabel('Handoff Keywords')).toHaveValue(
    /^human, agent, representative, person, .*mitarbeiter/,
  );
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

test(
  'the AI model writes a reply into the field, which an agent undoes or sends',
  WHOLE,
  async ({ openAs, product }) => {
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
  },
);

test(
  'a customer on the sandbox phone goes every way of a dialogue, and the team sees where each came',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('manager');
    await page.goto('/dashboard/chatbot?tab=flows');
    const returns = page.getByRole('switch', { name: 'Returns is active' });
    await returns.click();
    await expect(returns).toBeChecked();
    await expect(page.getByText(/^Bot (Active|Inactive)$/)).toBeVisible();
    if (await page.getByText('Bot Inactive').isVisible()) {
      await page.getByRole('button', { name: 'Turn On' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Turn On' }).click();
    }
    await expect(page.getByText('Bot Active')).toBeVisible();

    const names: Record<string, string> = {
      '4915112340011': 'Jana Vogel',
      '4915112340012': 'Lena Hauser',
      '4915112340013': 'Pia Kern',
    };
    type Said = { from: string; text?: string; tap?: [string, string] };
    const say = ({ from, text, tap }: Said) =>
      callSandbox(product, '/_sandbox/whatsapp/inbound', {
        ...{ from, name: names[from] },
        ...(tap
          ? {
              message: {
                type: 'interactive',
                interactive: { type: 'button_reply', button_reply: { id: tap[0], title: tap[1] } },
              },
            }
          : { text }),
      });
    /** Each line is said when the one before it was answered with the text beside it, as the phone of the customer shows it. */
    async function talk(from: string, lines: readonly [Omit<Said, 'from'>, string][]) {
      for (const [said, answer] of lines) {
        await say({ from, ...said });
        await expect.poll(() => shownOn(product, from)).toContain(answer);
      }
    }
    const people = 'I am connecting you with our team. Please wait a moment.';
    const how = 'How would you like to do it?';
    await talk('4915112340011', [
      [{ text: 'I want to return this' }, how],
      [{ tap: ['how:post', 'By post'] }, 'What is your order number?'],
      [{ text: 'no idea' }, 'Please answer with a number'],
      [{ text: '4711' }, 'To which email address'],
      [{ text: 'jana@example.com' }, 'The label for order 4711 goes to jana@example.com.'],
    ]);
    await talk('4915112340012', [
      [{ text: 'refund' }, how],
      [{ text: 'in the shop please' }, 'Bring it to our shop'],
    ]);
    await talk('4915112340013', [
      [{ text: 'send back' }, how],
      [{ text: 'hm' }, 'Please choose one of the answers.'],
      [{ text: 'hm, well' }, people],
    ]);

    await page.reload();
    const card = page
      .getByRole('list', { name: 'Bot Flows' })
      .getByRole('listitem')
      .filter({ hasText: 'Returns' });
    await expect(card.getByText('9', { exact: true }).first()).toBeVisible();
    await page.getByRole('tab', { name: 'Conversations' }).click();
    await page.getByRole('combobox', { name: 'Status' }).first().click();
    await page.getByRole('option', { name: 'Waiting' }).click();
    await expect(page.getByRole('link', { name: /Pia Kern/ })).toBeVisible();
  },
);

test(
  'a draft is made of a template, tried on the phone beside the editor, and published',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    await page.goto('/dashboard/chatbot?tab=flows&dialog=new');
    const dialog = page.getByRole('dialog', { name: 'Create Flow' });
    await dialog.getByRole('combobox', { name: 'Start from' }).click();
    await page.getByRole('option', { name: /Order status/ }).click();
    await inWhole(() => expectFitsEverywhere(page, 'bot-flow-template'));
    await dialog.getByRole('button', { name: 'Create', exact: true }).dblclick();
    await expect(page.getByRole('heading', { name: 'Order status', level: 1 })).toBeVisible();

    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const write = async (text: string) => {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await page.keyboard.press('Enter');
    };
    const phone = page.getByRole('log', { name: 'Test dialogue' });
    await write('good morning');
    await expect(phone.getByText('“good morning” does not start this flow')).toBeVisible();
    await write('where is my order');
    await expect(phone.getByText('What is your order number?')).toBeVisible();
    await write('4711');
    await page.getByLabel('order_status').fill('on its way');
    await page.getByRole('button', { name: 'It answers this' }).click();
    await expect(phone.getByText('Your order 4711: on its way')).toBeVisible();
    await expect(page.getByText('The flow has ended.')).toBeVisible();
    await expectFitsEverywhere(page, 'bot-flow-editor');
    await inWhole(() => expectWordsFit(page, 'bot-flow-editor'));

    await page.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('This flow answers nobody yet.', { exact: false })).toBeVisible();
    await page.getByRole('link', { name: 'Bot flows' }).click();
    const cards = page.getByRole('list', { name: 'Bot Flows' }).getByRole('listitem');
    await expect(cards.filter({ hasText: 'Order status' })).toHaveCount(1);
    await expect(cards.last().getByRole('link', { name: 'Order status' })).toBeVisible();
    // The keyboard moves the last flow to the first place, without a pause between the presses.
    const handle = page.getByRole('button', { name: /Move Order status/ });
    for (let left = (await cards.count()) - 1; left > 0; left -= 1) await handle.press('ArrowUp');
    await expect(cards.first().getByRole('link', { name: 'Order status' })).toBeVisible();
    await expect(handle).toBeFocused();
    const firstSaved = async () => {
      const { items } = (await (await page.request.get('/api/bot-flows')).json()) as {
        items: { name: string }[];
      };
      return items[0]?.name;
    };
    await expect.poll(firstSaved).toBe('Order status');
  },
);

/** What the phone of a customer shows of the business. */
async function shownOn(product: Product, phone: string): Promise<string> {
  const { messages } = await callSandbox<{ messages: { body: unknown }[] }>(
    product,
    `/_sandbox/whatsapp/messages?recipient=${phone}`,
  );
  return messages.map(({ body }) => JSON.stringify(body)).join('\n');
}
