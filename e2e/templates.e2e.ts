import { deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import {
  actKey,
  callSandbox,
  expect,
  expectAccessible,
  expectFitsEverywhere,
  keepPicture,
  test,
  WHOLE,
  inWhole,
} from './journey.ts';

test.describe('a template', () => {
  test('is written with a live preview, approved, found, previewed, copied, changed and deleted', async ({
    openAs,
    product,
  }) => {
    const page = await openAs('admin');
    // Long enough to be seen on a busy machine.
    await callSandbox(product, '/_sandbox/whatsapp/behaviour', { reviewDelayMs: 8_000 });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const name = `Spring sale ${Date.now()}`;
    await page.goto('/dashboard/templates');
    for (const label of ['Total', 'Approved', 'Pending', 'Draft', 'Rejected'])
      await expect(page.locator('dt', { hasText: label })).toBeVisible();

    await page.getByRole('button', { name: 'Create Template' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create Template' }).click();
    await expect(dialog.getByText('Template name is required')).toBeVisible();
    await expect(dialog.getByText('Body text is required')).toBeVisible();

    await dialog.getByLabel('Template Name').fill(name);
    await expect(dialog.getByText('Template name is required')).toBeHidden();
    await dialog.getByLabel('Category').selectOption('Promotion');
    await dialog.getByLabel('Body text').fill('Hello {{name}}, our *spring sale* at ');
    await dialog.getByRole('button', { name: '{{business}}' }).click();
    await page.keyboard.type(' starts today. See you, {{name}}!');
    await dialog.getByRole('button', { name: 'Add header' }).click();
    await dialog.getByLabel('Header text').fill('Spring is here');
    await dialog.getByRole('button', { name: 'Add footer' }).click();
    await dialog.getByLabel('Footer text').fill('Reply STOP to opt out');
    await dialog.getByRole('button', { name: 'Add buttons' }).click();
    await dialog.getByLabel('Text of button 1').fill('Shop now');
    await dialog.getByLabel('Type of button 1').selectOption('Open website');
    await dialog.getByLabel('Address of button 1').fill('javascript:alert(1)');
    await dialog.getByRole('button', { name: 'Add button', exact: true }).click();
    await dialog.getByLabel('Text of button 2').fill('Not interested');
    await dialog.getByRole('button', { name: 'Add button', exact: true }).click();
    await dialog.getByLabel('Type of button 3').selectOption('Call number');
    await dialog.getByLabel('Text of button 3').fill('Call us');
    await dialog.getByLabel('Phone number of button 3').fill('+44 7700 900100');
    await expect(dialog.getByText('3 of 3 buttons')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Add button', exact: true })).toBeHidden();

    // One field for each variable, however often it stands in the text.
    await expect(dialog.getByRole('group', { name: 'Sample values' }).getByRole('textbox')).toHaveCount(2);
    await dialog.getByLabel('{{name}}').fill('Ann');
    await dialog.getByLabel('{{business}}').fill('Acme');
    const phone = dialog.getByRole('figure', { name: 'Live preview' });
    await expect(phone).toContainText('Hello Ann, our spring sale at Acme starts today. See you, Ann!');
    await expect(phone.locator('strong', { hasText: 'spring sale' })).toBeVisible();
    await expect(phone).toContainText('Spring is here');
    await expect(phone).toContainText('Not interested');

    await dialog.getByLabel('Status').selectOption('Approved');
    const bodyText = await dialog.getByLabel('Body text').inputValue();
    await dialog.getByLabel('Body text').fill(`${bodyText} {{name}}`);
    await dialog.getByLabel('Address of button 1').fill('https://shop.example/spring');
    await dialog.getByRole('button', { name: 'Create Template' }).click();
    await expect(dialog.getByText(/^Not ready to be approved: The body must not begin or end/)).toBeVisible();
    await keepPicture(page, 'templates-not-ready');
    await dialog.getByLabel('Body text').fill(bodyText);
    await expect(dialog.getByText(/^Not ready to be approved/)).toBeHidden();
    await dialog.getByLabel('Address of button 1').fill('javascript:alert(1)');
    await dialog.getByRole('button', { name: 'Create Template' }).click();
    await expect(dialog.getByText('Enter an address that begins with https:// or http://')).toBeVisible();
    await dialog.getByLabel('Address of button 1').fill('https://shop.example/spring');
    await dialog.getByRole('button', { name: 'Create Template' }).click();
    await expect(page.getByText('Template created successfully!')).toBeVisible();
    await expect(dialog).toBeHidden();

    await page.getByPlaceholder('Search by name or content').fill(name);
    const card = page.getByRole('listitem').filter({ hasText: name });
    await expect(card.getByText('In review')).toBeVisible();
    // The webhook of the sandbox's review moves the card without a reload.
    await expect(card.getByText('In review')).toBeHidden();
    await expect(card.getByText('Approved')).toBeVisible();

    await page.getByRole('button', { name: `Copy the content of ${name}` }).click();
    await expect(page.getByText('Copied to clipboard!')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'Hello {{name}}, our *spring sale* at {{business}} starts today. See you, {{name}}!',
    );

    await page.getByRole('button', { name: `Preview ${name}` }).click();
    await expect(dialog.getByRole('figure')).toContainText('Hello Ann');
    await dialog.getByLabel('{{name}}').fill('Ben');
    await expect(dialog.getByRole('figure')).toContainText('Hello Ben');
    await page.reload();
    await expect(dialog.getByRole('figure')).toContainText('Hello Ann');
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByLabel('Template Name').fill(`${name} II`);
    await dialog.getByRole('button', { name: 'Remove footer' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Template updated successfully!')).toBeVisible();

    await page.getByRole('button', { name: `Delete ${name} II` }).click();
    await expect(page.getByText('Are you sure you want to delete this template?')).toBeVisible();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('Template deleted successfully!')).toBeVisible();
    await expect(page.getByText('No templates found')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome Message' })).toBeVisible();
  });

  test(
    'that is called pending by hand says that nobody was asked, until it is submitted',
    WHOLE,
    async ({ openAs }) => {
      const page = await openAs('admin');
      await page.goto('/dashboard/templates?dialog=new');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Template Name').fill('Waits for nobody');
      await dialog.getByLabel('Body text').fill('We open at nine tomorrow.');
      await dialog.getByLabel('Status').selectOption('Pending');
      await dialog.getByRole('button', { name: 'Create Template' }).click();
      await page.getByPlaceholder('Search by name or content').fill('Waits for nobody');
      const card = page.getByRole('listitem').filter({ hasText: 'Waits for nobody' });
      await expect(card.getByText('Pending, not submitted')).toBeVisible();
      await keepPicture(page, 'templates-not-submitted');
      await page.getByRole('button', { name: 'More actions for Waits for nobody' }).click();
      await page.getByRole('menuitem', { name: 'Submit for approval' }).click();
      await expect(card.getByText('Approved')).toBeVisible();
    },
  );

  test('asks before its unsaved text is lost', WHOLE, async ({ openAs }) => {
    const page = await openAs('agent');
    await page.goto('/dashboard/templates?dialog=new');
    await page.getByLabel('Body text').fill('Half a text');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByLabel('Body text')).toHaveValue('Half a text');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  test('shows script in its texts as text', WHOLE, async ({ openAs }) => {
    const page = await openAs('admin');
    const script = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    await createTemplate(page, `Hostile ${script}`, script);
    await page.goto('/dashboard/templates?search=Hostile');
    await expect(page.getByRole('heading', { name: `Hostile ${script}` })).toBeVisible();
    await expect(page.getByText(script, { exact: true })).toBeVisible();
    await expect(page).toHaveTitle(/Message Templates/);
  });
});

test.describe('a change that comes second', () => {
  // The browser notes each refusal that a page then explains.
  test.use({ allowedConsole: [/status of 409/] });

  test('that two people edit is never overwritten silently', WHOLE, async ({ openAs }) => {
    const [first, second] = [await openAs('admin'), await openAs('manager')];
    const id = await createTemplate(first, 'Shared text');
    for (const page of [first, second]) {
      await page.goto(`/dashboard/templates?dialog=edit&template=${id}`);
      await expect(page.getByLabel('Body text')).toHaveValue('Hello there, dear customer.');
    }
    await first.getByLabel('Body text').fill('From the first.');
    await first.getByRole('button', { name: 'Save' }).click();
    await expect(first.getByText('Template updated successfully!')).toBeVisible();

    await second.getByLabel('Body text').fill('From the second.');
    await second.getByRole('button', { name: 'Save' }).click();
    await expect(second.getByText('Someone else changed this template in the meantime.')).toBeVisible();
    await expect(second.getByLabel('Body text')).toHaveValue('From the second.');
    await second.getByRole('button', { name: 'Load their version' }).click();
    await expect(second.getByLabel('Body text')).toHaveValue('From the first.');
  });
});

test.describe('a file in the header', () => {
  test.use({ allowedConsole: [/status of 415/] });

  test('is refused in plain words, or uploaded and shown', WHOLE, async ({ openAs }) => {
    const page = await openAs('manager');
    await page.goto('/dashboard/templates?dialog=new');
    await page.getByLabel('Template Name').fill('With a picture');
    await page.getByLabel('Body text').fill('Look at this.');
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByLabel('Header type').selectOption('Image');
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });

    await choose('large.png', 'image/png', Buffer.alloc(5 * 1024 * 1024 + 1));
    await expect(page.getByText('File size must be less than 5MB')).toBeVisible();
    await choose('drawing.svg', 'image/svg+xml', Buffer.from('<svg/>'));
    await expect(page.getByText('File type not supported')).toBeVisible();
    await choose('page.png', 'image/png', Buffer.from('<html><script>alert(1)</script></html>'));
    await expect(page.getByText('File type not supported')).toBeVisible();

    await choose('photo.png', 'image/png', createPng());
    await expect(page.getByRole('button', { name: 'Remove photo.png' })).toBeVisible();
    const picture = page.getByRole('figure').locator('img');
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(16);
    await page.getByRole('button', { name: 'Create Template' }).last().click();
    await expect(page.getByText('Template created successfully!')).toBeVisible();
  });
});

test.describe('what a role may do', () => {
  test('viewer reads, agent also creates', WHOLE, async ({ openAs }) => {
    const viewer = await openAs('viewer');
    await viewer.goto('/dashboard/templates');
    await expect(viewer.getByRole('button', { name: 'Preview Welcome Message' })).toBeVisible();
    for (const name of ['Create Template', 'Edit Welcome Message', 'Delete Welcome Message'])
      await expect(viewer.getByRole('button', { name })).toHaveCount(0);

    const agent = await openAs('agent');
    await agent.goto('/dashboard/templates');
    await expect(agent.getByRole('button', { name: 'Create Template' })).toBeVisible();
    for (const name of ['Edit Welcome Message', 'Delete Welcome Message'])
      await expect(agent.getByRole('button', { name })).toHaveCount(0);
  });
});

test('templates are accessible and fit a telephone', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/templates');
  await expect(page.getByRole('heading', { name: 'Welcome Message' })).toBeVisible();
  await expectFitsEverywhere(page, 'templates-list');
  await page.getByRole('button', { name: 'Preview Welcome Message' }).click();
  await expect(page.getByRole('dialog').getByRole('figure')).toBeVisible();
  await inWhole(() => expectFitsEverywhere(page, 'templates-preview'));
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(page.getByLabel('Template Name')).toBeVisible();
  await expectFitsEverywhere(page, 'templates-editor');
  await inWhole(async () => {
    await page.goto('/dashboard/templates?search=nothing-like-it');
    await expect(page.getByText('No templates found')).toBeVisible();
    await expectAccessible(page, 'templates-no-match');
  });
});

async function createTemplate(
  page: Page,
  name: string,
  text = 'Hello there, dear customer.',
): Promise<string> {
  const created = await page.request.post('/api/templates', {
    headers: actKey(),
    data: { name, components: [{ type: 'body', text }] },
  });
  expect(created.ok(), await created.text()).toBe(true);
  return (await created.json()).id;
}

function createPng(): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(content.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(checksum(Buffer.concat([Buffer.from(type), content])));
    return Buffer.concat([size, Buffer.from(type), content, sum]);
  };
  const header = Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 2, 0, 0, 0]);
  // Each row begins with its filter; none is used.
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(16 * 3, 90)]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: 16 }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
