import type { Page } from '@playwright/test';
import { callSandbox, expect, keepPicture, test } from './journey.ts';

type Conversation = { id: string; contact: { name: string } };

// What the lost line costs.
test.use({ allowedConsole: [/ERR_BLOCKED_BY_CLIENT/] });

const FROM = '14155550188';

async function findConversation(page: Page, name: string): Promise<Conversation | undefined> {
  const answer = await page.request.get('/api/conversations');
  const { items } = (await answer.json()) as { items: Conversation[] };
  return items.find((one) => one.contact.name === name);
}

test('what is written without a connection survives a reload, and leaves once though two tabs have it', async ({
  openAs,
  product,
}) => {
  const page = await openAs('agent');
  await callSandbox(product, '/_sandbox/whatsapp/inbound', { from: FROM, name: 'Otto Box', text: 'Hello?' });
  await expect.poll(async () => (await findConversation(page, 'Otto Box'))?.contact.name).toBe('Otto Box');
  const path = `/dashboard/inbox/${(await findConversation(page, 'Otto Box'))!.id}`;
  await page.goto(path);
  const field = page
    .getByRole('textbox', { name: 'Message to Otto Box' })
    .or(page.getByRole('combobox', { name: 'Message to Otto Box' }));
  await expect(field).toBeVisible();

  // Nothing that is sent comes through, from any tab.
  const context = page.context();
  const lost = ['**/api/rpc/conversations/send', '**/api/conversations/files/*?*'];
  for (const address of lost) await context.route(address, (route) => route.abort('blockedbyclient'));
  const texts = ['First without a line', 'Second without a line', 'Third without a line'];
  for (const text of texts) {
    await field.fill(text);
    await field.press('Enter');
    await expect(field).toHaveValue('');
  }
  const waitingIn = (tab: Page) => tab.getByRole('article', { name: /: (Waiting to be sent|Sending)$/ });
  const waiting = waitingIn(page);
  await expect(waiting).toHaveCount(3);
  await expect(waiting.first()).toContainText('First without a line');
  await keepPicture(page, 'outbox-waiting');

  await page.reload();
  await expect(waiting).toHaveCount(3);
  const other = await context.newPage();
  await other.goto(path);
  await expect(waitingIn(other)).toHaveCount(3);

  // The line is back for both at once.
  for (const address of lost) await context.unroute(address);
  await Promise.all([page, other].map((tab) => tab.evaluate(() => dispatchEvent(new Event('online')))));
  const sent = async () => {
    const { messages } = await callSandbox<{
      messages: { body: { body?: unknown } | null; index: number }[];
    }>(product, `/_sandbox/whatsapp/messages?recipient=%2B${FROM}`);
    return messages
      .toSorted((one, next) => one.index - next.index)
      .map(({ body }) => texts.find((text) => JSON.stringify(body).includes(text)));
  };
  await expect.poll(sent).toEqual(texts);
  await expect(waiting).toHaveCount(0);
  await expect(
    page.getByRole('region', { name: 'Open chat' }).getByText('Third without a line'),
  ).toBeVisible();
  await expect(waitingIn(other)).toHaveCount(0);
  expect(await sent()).toEqual(texts);
});
