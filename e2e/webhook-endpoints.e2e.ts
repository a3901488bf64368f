import { createHmac } from 'node:crypto';
import {
  callSandbox,
  expect,
  expectFitsEverywhere,
  expectWordsFit,
  inWhole,
  test,
  WHOLE,
} from './journey.ts';

// A refused address is an answer of 422, which every browser notes in its console.
test.use({ allowedConsole: [/status of 422/] });

type Received = { requests: { headers: Record<string, string>; body: string; status: number }[] };

test(
  'an admin adds a webhook endpoint, sees a signed test event arrive, repairs one that failed, and rotates the secret',
  WHOLE,
  async ({ openAs, product }) => {
    const received = async () =>
      (await callSandbox<Received>(product, '/_sandbox/receiver/shop/requests')).requests;
    const page = await openAs('admin');
    await page.goto('/dashboard/automation?tab=webhooks');
    await expect(page.getByText('No webhook endpoints yet')).toBeVisible();
    await inWhole(() => expectFitsEverywhere(page, 'webhooks-empty'));

    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Endpoint URL').fill('https://10.0.0.1/hook');
    await dialog.getByRole('button', { name: 'Save endpoint' }).click();
    await expect(dialog.getByText('This address is private.')).toBeVisible();
    await inWhole(() => expectFitsEverywhere(page, 'webhooks-add'));
    await dialog.getByLabel('Endpoint URL').fill(`${product.sandboxUrl}/_sandbox/receiver/shop`);
    await dialog.getByRole('button', { name: 'Save endpoint' }).click();
    // The receiver needs the secret before the first event.
    const added = page.getByRole('dialog', { name: 'Signing secret' });
    await expect(added.locator('code')).toContainText('whsec_');
    await added.getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('list', { name: 'Webhook endpoints' }).getByRole('listitem');
    await expect(row).toContainText('Active');
    await expect(row).toContainText('All events');

    // The test event is delivered, and signed with the secret that the page shows.
    await row.getByRole('button', { name: /^Actions of/ }).click();
    await page.getByRole('menuitem', { name: 'Send test event' }).click();
    const deliveries = page.getByRole('list', { name: 'Deliveries' });
    const test = deliveries.getByRole('listitem').filter({ hasText: 'webhook.test' });
    await expect(test).toContainText('Delivered');
    await expect(test).toContainText('200');
    await row.getByRole('button', { name: /^Actions of/ }).click();
    await page.getByRole('menuitem', { name: 'Signing secret' }).click();
    const secret = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    const [request] = await received();
    const {
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': signature,
    } = request!.headers;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${seconds}.${request!.body}`).digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    await inWhole(() => expectFitsEverywhere(page, 'webhooks-secret'));
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
    await expect(page.getByText('Previous secret, signs as well until')).toBeVisible();
    await page.keyboard.press('Escape');

    // A receiver that fails is seen to, and the delivery is sent again by hand.
    await callSandbox(product, '/_sandbox/receiver/shop/behaviour', { status: 503 });
    await row.getByRole('button', { name: /^Actions of/ }).click();
    await page.getByRole('menuitem', { name: 'Send test event' }).click();
    await expect(deliveries.getByRole('listitem').first()).toContainText('503');
    await expectFitsEverywhere(page, 'webhooks');
    await callSandbox(product, '/_sandbox/receiver/shop/behaviour', { status: 200 });
    await deliveries.getByRole('listitem').first().getByRole('button').click();
    const delivery = page.getByRole('dialog');
    await expect(delivery).toContainText('The receiver answered 503');
    await inWhole(() => expectFitsEverywhere(page, 'webhooks-delivery'));
    await delivery.getByRole('button', { name: 'Resend' }).click();
    await expect(delivery).toContainText('Accepted with 200');
    await page.keyboard.press('Escape');
    // Under the same id, signed with both secrets.
    const [, failed, ...later] = await received();
    expect(later.at(-1)?.headers['webhook-id']).toBe(failed?.headers['webhook-id']);
    expect(later.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(2);

    // The search finds it, and nothing for what is not there.
    await page.getByPlaceholder('Search by id, event or content').fill('no such thing');
    await expect(page.getByText('No deliveries match')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(deliveries).toBeVisible();
  },
);

test(
  'a webhook endpoint is paused, resumed and deleted; in five languages its words fit',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/automation?tab=webhooks&dialog=new');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Endpoint URL').fill(`${product.sandboxUrl}/_sandbox/receiver/desk`);
    await dialog.getByRole('button', { name: 'Save endpoint' }).dblclick();
    const rows = page.getByRole('list', { name: 'Webhook endpoints' }).getByRole('listitem');
    const row = rows.filter({ hasText: '/receiver/desk' });
    // Who uses a screen reader finds the list once the dialog is closed.
    const secret = page.getByRole('dialog', { name: 'Signing secret' });
    await secret.getByRole('button', { name: 'Close' }).click();
    await expect(row).toHaveCount(1);
    await row.getByRole('button', { name: /^Actions of/ }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await expect(row).toContainText('Paused by a person.');
    await expectWordsFit(page, 'webhooks-paused');
    await row.getByRole('button', { name: /^Actions of/ }).click();
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await expect(row).toContainText('Active');
    await row.getByRole('button', { name: /^Actions of/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(row).toHaveCount(0);
  },
);

test('who may not see the settings is not offered the tab', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/automation?tab=webhooks');
  await expect(page.getByRole('tab', { name: 'Workflows' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Webhooks' })).toHaveCount(0);
});
