import { callSandbox, expect, expectFitsEverywhere, test, WHOLE } from './journey.ts';

test.use({ allowedConsole: [/status of 422/] });

test(
  'a number is connected with the values of the vendor’s console, breaks, and is mended',
  WHOLE,
  async ({ openAs, product }) => {
    const behave = (changes: object) => callSandbox(product, '/_sandbox/whatsapp/behaviour', changes);
    const page = await openAs('admin');
    await page.goto('/dashboard/settings?tab=api');
    await expect(page.getByText('Connected: +44 7700 900100')).toBeVisible();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByText('Not connected.')).toBeVisible();
    await expect(page.getByText('Messaging API not connected')).toBeVisible();

    // Where a number is to be connected to is a change as its values are; what is pressed in another part leads to the form.
    await page.getByRole('tab', { name: 'Phone Numbers' }).click();
    await page.getByRole('button', { name: 'Connect another number' }).click();
    await page.getByLabel('Connect to').selectOption('sandbox');
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByRole('link', { name: 'Open the console of the sandbox' })).toHaveAttribute(
      'href',
      `${product.sandboxUrl}/#console`,
    );
    await page.getByLabel('Connect to').selectOption('platform');
    await expect(page.getByText('Open developers.facebook.com')).toBeVisible();
    await page.goto('/dashboard/settings?tab=api');

    // Each value says by itself what is wrong with it.
    await page.getByLabel('Access Token').fill('sandbox-expired-token');
    await expect(page.getByText('This token has ended.')).toBeVisible();
    await page.getByLabel('App Secret').fill('guessed');
    await expect(page.getByText('This is not the secret of the app.')).toBeVisible();
    await page.getByRole('button', { name: 'Save Configuration' }).click();
    await expect(
      page.getByText('Failed to save configuration. Please check your credentials.'),
    ).toBeVisible();
    await page.getByLabel('Access Token').fill('sandbox-access-token');
    await page.getByLabel('App Secret').fill('sandbox-app-secret');
    await expect(page.getByText('5 of 5 right')).toBeVisible();
    await page.getByRole('button', { name: 'Save Configuration' }).click();
    await expect(page.getByText('WhatsApp API configuration saved successfully!')).toBeVisible();
    await expect(page.getByText('Connected: +44 7700 900100')).toBeVisible();
    await expectFitsEverywhere(page, 'connection-api');

    // An app that is told of nothing but opt-outs is told of everything after one press.
    await callSandbox(product, '/_sandbox/whatsapp/webhook', {
      ...{ fields: ['user_preferences'], handshake: false },
    });
    await page.getByRole('tab', { name: 'Webhook Setup' }).click();
    await expect(page.getByText('The platform sends here, but not everything')).toBeVisible();
    await expect(page.getByRole('alert')).toContainText(/missing: messages, message_template_status_update/);
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await expect(page.getByText('Switched on at your app (9):')).toBeVisible();
    await expect(page.getByText('The platform sends here', { exact: true })).toBeVisible();
    // The address of the app and that of the account were each asked.
    await expect(page.getByRole('listitem').filter({ hasText: 'Address checked, word right' })).toHaveCount(
      2,
    );
    await page.getByRole('button', { name: 'Live test' }).click();
    await expect(page.getByText('Waiting for the platform’s call…')).toBeVisible();
    await callSandbox(product, '/_sandbox/whatsapp/inbound', {
      from: '447700900345',
      text: 'Are you there?',
    });
    await expect(page.getByRole('status').filter({ hasText: 'Received, signature right' })).toBeVisible();
    await expectFitsEverywhere(page, 'connection-webhook');

    await page.getByRole('tab', { name: 'Phone Numbers' }).click();
    const number = page.getByRole('listitem').filter({ hasText: 'Sample business' });
    await expect(number).toContainText('80 per second');
    await number.getByLabel('Messages per second').fill('60');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await expect(page.getByText('Settings saved successfully!')).toBeVisible();
    await expect(number.getByRole('button', { name: 'Save' })).toHaveCount(0);
    await expectFitsEverywhere(page, 'connection-numbers');

    await number.getByRole('button', { name: 'Business profile' }).click();
    await page.getByLabel('About').fill('Bread by night');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await expect(page.getByText('Saved. It is handed to the platform.')).toBeVisible();
    // And it shows again what the workspace says of itself.
    await number.getByRole('button', { name: 'Business profile' }).click();
    await page.getByRole('button', { name: 'Use the profile of General' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);

    // What stands in the account alone is taken over with its locale.
    await page.getByRole('tab', { name: 'Message Templates' }).click();
    const hello = page.getByRole('listitem').filter({ hasText: 'hello_world' });
    await expect(hello).toContainText(/American English.*Missing here.*Approved/);
    await hello.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Import chosen' }).click();
    await expect(page.getByText('1 template imported.')).toBeVisible();
    await page.getByRole('button', { name: 'Sync now' }).click();
    await expect(page.getByText('Last synchronised:')).toBeVisible();
    await expectFitsEverywhere(page, 'connection-templates');

    // The token ends at the vendor, and is given again.
    await page.getByRole('tab', { name: 'API Connection' }).click();
    await behave({ tokenProblem: 'expired' });
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText('Connection failed. Please verify your credentials.')).toBeVisible();
    await expect(page.getByText('This token has ended.').first()).toBeVisible();
    await expect(page.getByText('+44 7700 900100 is no longer connected.')).toBeVisible();
    await behave({ tokenProblem: 'none' });
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByText('Connection successful! WhatsApp Business API is responding.')).toBeVisible();
    await expect(page.getByText('Connected: +44 7700 900100')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save Configuration' })).toBeDisabled();
  },
);
