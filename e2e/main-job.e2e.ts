import { callSandbox, expect, keepPicture, test } from './journey.ts';

const CONTACTS = 300;
const phoneOf = (index: number) => `+44791${String(2_000_000 + index)}`;

/** 300 good rows of one tag among rows that cannot be imported. */
function writeContactFile(): string {
  const good = Array.from({ length: CONTACTS }, (_, index) =>
    [`Person ${index}`, phoneOf(index), `person${index}@example.com`, 'main-job', 'active'].join(','),
  );
  const bad = [
    ',+447912300001,nobody@example.com,main-job,active',
    'No Phone,,no-phone@example.com,main-job,active',
    `Again,${phoneOf(0)},again@example.com,main-job,active`,
    'Nowhere,+99912345,nowhere@example.com,main-job,active',
  ];
  return ['name,phone,email,tags,status', ...good, ...bad].join('\n');
}

test('from a contact file to read receipts', async ({ page, product }) => {
  test.slow();
  await callSandbox(product, '/_sandbox/whatsapp/behaviour', { statusDelayMs: 50, throughputMps: 1000 });
  await page.goto('/dashboard/contacts');
  await expect(page).toHaveURL(/\/login/);
  await page.getByLabel('Email').fill('admin@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Welcome123');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible();

  // What an import before this one added may be called so, too.
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Contacts' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'contacts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(writeContactFile()),
  });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText(`Successfully imported ${CONTACTS} contacts!`)).toBeVisible();
  await expect(
    page.getByText('4 contacts failed to import. Check the import results for details.'),
  ).toBeVisible();
  await expect(page.getByText('Row 301: Name and phone are required')).toBeVisible();
  await expect(page.getByText(`Row 303: Phone number ${phoneOf(0)} already exists`)).toBeVisible();
  await keepPicture(page, 'main-job-import');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Bulk Message' }).click();
  await page.getByRole('button', { name: 'main-job' }).click();
  await expect(page.getByText(`Added ${CONTACTS} contacts with tag "main-job"`)).toBeVisible();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('radio', { name: /Order Update/ }).check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByText(`${CONTACTS} people will get this message`)).toBeVisible();
  await keepPicture(page, 'main-job-review');
  await page.getByRole('button', { name: `Send to ${CONTACTS} contacts` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText(`Bulk message sent successfully to ${CONTACTS} contacts!`)).toBeVisible();

  // Where it was sent from says so by itself when everybody has it.
  await expect(page.getByText(`The message was sent to ${CONTACTS} contacts.`)).toBeVisible();
  await page.getByRole('link', { name: 'View campaign' }).click();
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  await keepPicture(page, 'main-job-campaign');
  const accepted = new Map<string, number>();
  for (let index = 0; index < CONTACTS; index += 60) {
    const phone = phoneOf(index);
    const { messages } = await callSandbox<{ messages: unknown[] }>(
      product,
      `/_sandbox/whatsapp/messages?recipient=${encodeURIComponent(phone)}`,
    );
    accepted.set(phone, messages.length);
  }
  expect(new Set(accepted.values())).toEqual(new Set([1]));
  const { byTagMax } = await callSandbox<{ byTagMax: number }>(product, '/_sandbox/whatsapp/stats');
  expect(byTagMax).toBe(1);
  // The shares that the sandbox delivers and reads move the figures without a reload.
  await expect
    .poll(async () => (await (await page.request.get('/api/campaigns')).json()).items[0].counts.read)
    .toBeGreaterThan(100);
});
