import type { Page } from '@playwright/test';
import {
  actKey,
  callSandbox,
  expect,
  expectAccessible,
  expectFitsEverywhere,
  test,
  WHOLE,
  inWhole,
} from './journey.ts';

// The browser notes the refusal of a segment that was deleted.
test.use({ allowedConsole: [/status of 409/] });

/** Sends are not answered before the journey says so: just below the time that the product gives them. */
const HELD_MS = 18_000;

test('a campaign is created, found, changed and deleted', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  const name = `Autumn ${Date.now()}`;
  await page.goto('/dashboard/campaigns');
  await expect(page.getByText(/^Showing \d+ of \d+ campaigns$/)).toBeVisible();
  await page.getByRole('button', { name: 'Create Campaign' }).first().click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Create Campaign' });
  await expect(save).toBeDisabled();
  await dialog.getByLabel('Campaign Name *').fill(name);
  await expect(save).toBeDisabled();
  await dialog.getByLabel('Template *').click();
  await page.getByRole('option', { name: /Welcome Message/ }).click();
  await expect(save).toBeDisabled();
  await expect(dialog.getByText('Select Contacts *')).toBeVisible();
  await dialog.getByRole('button', { name: /^Select all/ }).click();
  await dialog.getByText('Leave contacts out').click();
  await dialog.getByRole('combobox', { name: 'Exclude' }).click();
  await page.getByRole('option', { name: 'Tag: lead' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog.getByText('As Ann Lee sees it')).toBeVisible();
  await expect(dialog.getByLabel('Schedule (Optional)')).toBeVisible();
  await expect(dialog.getByText('1 person will get this message')).toBeVisible();
  await save.click();
  await expect(page.getByText('Campaign created successfully!')).toBeVisible();

  await page.getByPlaceholder('Search campaigns').fill(name);
  await expect(page).toHaveURL(/search=Autumn/);
  await expect(page.getByText(/^Showing 1 of \d+ campaigns$/)).toBeVisible();
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await expect(card.getByText('Delivery Rate')).toHaveCount(0);
  await card.getByRole('button', { name: `Actions of ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(dialog.getByRole('button', { name: 'Remove Tag: lead' })).toBeVisible();
  await dialog.getByLabel('Campaign Name *').fill(`${name} b`);
  await dialog.getByRole('button', { name: 'Update Campaign' }).click();
  await expect(page.getByText('Campaign updated successfully!')).toBeVisible();
  // An open dialog stands in the address, and would be there again.
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { name: `${name} b` })).toBeVisible();

  await page.getByRole('button', { name: `Actions of ${name} b` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('Are you sure you want to delete this campaign?')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No campaigns found')).toBeVisible();
  await expect(page.getByText('Try adjusting your search terms.')).toBeVisible();
});

test('a template in several languages is sent in each contact’s own', WHOLE, async ({ openAs, product }) => {
  const page = await openAs('admin');
  const stamp = String(Date.now());
  const name = `Tongues ${stamp}`;
  await addTemplate(page, { name, language: 'en', text: 'Hello {{name}}, it is spring.' });
  await addTemplate(page, { name, language: 'de', text: 'Hallo {{name}}, es ist Frühling.' });
  const tag = `tongues${stamp}`;
  for (const [at, language] of ['German', 'en', null].entries())
    await addContact(page, { name: `Tongue ${at}`, phone: phoneOf(stamp, at), language, tags: [tag] });

  await page.goto('/dashboard/campaigns');
  await page.getByRole('button', { name: 'Create Campaign' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Campaign Name *').fill(name);
  await dialog.getByLabel('Template *').fill(name);
  await page.getByRole('option', { name }).click();
  await dialog.getByRole('button', { name: 'English', exact: true }).click();
  await expect(dialog.getByRole('switch', { name: 'In each contact’s language' })).toBeChecked();
  await dialog.getByRole('button', { name: tag }).click();
  await expect(dialog.getByText('1 of 3 · German')).toBeVisible();
  await expect(dialog.getByText('Hallo Tongue 0, es ist Frühling.')).toBeVisible();
  const counted = 'German 1 · English 2, of which 1 without a language';
  await expect(dialog.getByText(counted)).toBeVisible();
  await expectFitsEverywhere(page, 'campaign-languages');
  await dialog.getByRole('button', { name: 'Create Campaign' }).click();
  await expect(page.getByText('Campaign created successfully!')).toBeVisible();
  await page.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).first().click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(counted);
  await question.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText('English and German')).toBeVisible();
  for (const [at, language] of ['de', 'en', 'en'].entries())
    await expect
      .poll(async () => JSON.stringify(await sentTo(product, phoneOf(stamp, at))))
      .toContain(`"code":"${language}"`);
});

function phoneOf(stamp: string, at: number): string {
  return `+49151${stamp.slice(-7)}${at}`;
}

function sentTo(product: Parameters<typeof callSandbox>[0], phone: string): Promise<unknown> {
  return callSandbox(product, `/_sandbox/whatsapp/messages?recipient=${encodeURIComponent(phone)}`);
}

async function addContact(page: Page, data: object): Promise<void> {
  const created = await page.request.post('/api/contacts', { headers: actKey(), data });
  expect(created.ok(), await created.text()).toBe(true);
}

async function addTemplate(
  page: Page,
  { name, language, text }: { name: string; language: string; text: string },
): Promise<void> {
  const components = [{ type: 'body', text }];
  const data = { name, language, status: 'approved', components };
  const created = await page.request.post('/api/templates', { headers: actKey(), data });
  expect(created.ok(), await created.text()).toBe(true);
  const { id } = await created.json();
  await expect
    .poll(async () => (await (await page.request.get(`/api/templates/${id}`)).json()).isSendable)
    .toBe(true);
}

/** So many messages leave in a minute, until that is lifted. */
async function limitMessages(admin: Page, perMinute: number): Promise<{ lift(): Promise<void> }> {
  const address = '/api/settings/messaging';
  const { version, messageLimits } = await (await admin.request.get(address)).json();
  const save = async (data: { version: number; messageLimits: object }) => {
    const saved = await admin.request.put(address, { data });
    expect(saved.ok(), await saved.text()).toBe(true);
    return ((await saved.json()) as { version: number }).version;
  };
  const limited = await save({ version, messageLimits: { isEnabled: true, perMinute, perDay: 1_000 } });
  return { lift: async () => void (await save({ version: limited, messageLimits })) };
}

/** Nothing leaves at one press: the question names how many, and what it costs. */
async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start', exact: true }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start', exact: true }).click();
}

test('Start on a card asks before anything leaves', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  const name = `Asked ${Date.now()}`;
  const contactIds = await addContacts(page, 3);
  const id = await createCampaign(page, name, contactIds);
  await page.goto(`/dashboard/campaigns?search=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('alertdialog', { name: 'Send this campaign to 3 people now?' })).toContainText(
    'Estimated cost$0.15',
  );
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  // What the browser read a moment ago is no answer to what happens now.
  await block(page, contactIds[0]);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Send this campaign to 2 people now?' });
  await expect(question).toContainText(name);
  await expect(question).toContainText('Estimated cost$0.10');
  await expectAccessible(page, 'campaign-start-question');
  await question.getByRole('button', { name: 'Cancel' }).click();
  const card = page.getByRole('listitem').filter({ hasText: name });
  await expect(card.getByText('Draft', { exact: true })).toBeVisible();
  const answer = await page.request.get(`/api/campaigns/${id}`);
  expect((await answer.json()).status).toBe('draft');
  await start(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone. Nothing was sent.')).toBeVisible();
  await expect(card.getByText('Draft', { exact: true })).toBeVisible();
  await start(page);
  await expect(card.getByText('Completed', { exact: true })).toBeVisible();
});

test('a campaign is started, paused and resumed, and its counts move by themselves', async ({ openAs }) => {
  const page = await openAs('manager');
  const id = await createCampaign(page, `Winter ${Date.now()}`, await addContacts(page, 60));
  // It goes on for ten minutes, unless it is paused.
  const limit = await limitMessages(await openAs('admin'), 6);
  await page.goto(`/dashboard/campaigns/${id}`);
  await expect(page.getByText('60 people will get this message')).toBeVisible();
  await start(page);
  await expect(page.getByText('Running', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused. Resume continues exactly where it stopped.')).toBeVisible();
  await limit.lift();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: /Delivered|Read/ })
      .first(),
  ).toBeVisible();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Left out' }).click();
  await expect(page).toHaveURL(/outcome=cancelled/);
  await expect(page.getByText('No recipients with this outcome')).toBeVisible();
});

test(
  'people of an outcome get a tag from the campaign, by keyboard, and are found among the contacts',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    const name = `Followed up ${Date.now()}`;
    const tag = `called${Date.now()}`;
    const id = await createCampaign(page, name, await addContacts(page, 3));
    await page.request.post(`/api/campaigns/${id}/start`, { headers: actKey(), data: {} });
    await page.goto(`/dashboard/campaigns/${id}`);
    await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: 'These people' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Tag these people' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add Tags' });
    await expect(dialog.getByText('3 contacts')).toBeVisible();
    await expectAccessible(page, 'campaign-tag-people');
    await dialog.getByRole('combobox').fill(tag);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Add Tags' }).press('Enter');
    await expect(page.getByText('3 contacts changed.', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'These people' }).click();
    await page.getByRole('menuitem', { name: 'View these contacts' }).click();
    await expect(page).toHaveURL(/filter=campaign/);
    await expect(page.getByRole('status').filter({ hasText: '3 contacts' })).toBeVisible();
    await expect(page.getByRole('gridcell', { name: tag }).first()).toBeVisible();
  },
);

test('a campaign follows its segment until it starts', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  const tag = `loyal${Date.now()}`;
  const rules = (value: string) => ({ match: 'all', conditions: [{ kind: 'has_tag', value }] });
  const segment = { name: `Loyal ${tag}`, rules: rules('vip') };
  const { id } = await (
    await page.request.post('/api/segments', { headers: actKey(), data: segment })
  ).json();
  await page.goto('/dashboard/campaigns?form=new');
  const dialog = page.getByRole('dialog', { name: 'Create Campaign' });
  await dialog.getByLabel('Campaign Name *').fill(`Segment ${tag}`);
  await dialog.getByLabel('Template *').click();
  await page.getByRole('option', { name: /Welcome Message/ }).click();
  await dialog.getByRole('button', { name: 'Choose segments' }).click();
  await page.getByRole('checkbox', { name: segment.name }).check();
  await page.keyboard.press('Escape');
  await expect(dialog.getByText(`Segment: ${segment.name}`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Create Campaign' }).click();
  await page.getByRole('link', { name: `Segment ${tag}` }).click();
  await expect(page.getByText(`${segment.name}: Has the tag “vip”`)).toBeVisible();
  await expect(page.getByText(/^Contacts who are in the segment when sending starts/)).toBeVisible();

  await page.request.patch(`/api/segments/${id}`, { data: { version: 1, rules: rules(tag) } });
  await page.reload();
  await expect(page.getByText(`${segment.name}: Has the tag “${tag}”`)).toBeVisible();
  await expect(page.getByText('Nobody will get this message')).toBeVisible();
  await page.request.delete(`/api/segments/${id}`, { headers: actKey() });
  await page.reload();
  await expect(page.getByText(`The segment “${segment.name}” was deleted.`)).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).first().click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByText(`The segment “${segment.name}” was deleted.`)).toBeVisible();
  await question.getByRole('button', { name: 'Choose other contacts' }).click();
  await expect(page.getByRole('dialog').getByText(`Deleted segment: ${segment.name}`)).toBeVisible();
});

test(
  'failed recipients get the message again, and results leave as a file',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('admin');
    const behave = (changes: object) => callSandbox(product, '/_sandbox/whatsapp/behaviour', changes);
    await behave({ failRate: 1, failCode: 131000, statusDelayMs: 50 });
    const contactIds = await addContacts(page, 3);
    const id = await createCampaign(page, `Retry ${Date.now()}`, contactIds);
    await page.goto(`/dashboard/campaigns/${id}`);
    await start(page);
    const retry = page.getByRole('button', { name: /^Try \d again$/ });
    await expect(retry).toHaveText('Try 3 again');
    await behave({ failRate: 0, latencyMs: HELD_MS });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export results' }).click();
    await page.getByRole('menuitem', { name: 'As CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^campaign-results-.*\.csv$/);

    await block(page, contactIds[0]);
    await retry.click();
    const question = page.getByRole('alertdialog', {
      name: 'Send again to 2 recipients whose message failed?',
    });
    await expect(question).toContainText('Estimated cost$0.10');
    await inWhole(() => expectFitsEverywhere(page, 'campaign-retry-question'));
    await question.getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByRole('heading', { name: /^Retry .* \(retry\)$/ })).toBeVisible();

    await page.goBack();
    await expect(page.getByText('A campaign is sending again to those whose message failed.')).toBeVisible();
    await expect(retry).toHaveCount(0);
    await behave({ latencyMs: 20 });
    await expect(page.getByText(/^There are no recipients for a retry:/)).toBeVisible();
    await expect(retry).toHaveCount(0);
    await inWhole(() => expectFitsEverywhere(page, 'campaign-retry-nobody'));
    // All three failed there once; that is no reason to offer them again.
    expect((await (await page.request.get(`/api/campaigns/${id}`)).json()).counts.failed).toBe(3);
  },
);

test('a scheduled campaign can be cancelled and is then not sent', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  const id = await createCampaign(page, `Cancel ${Date.now()}`, await addContacts(page, 1), {
    status: 'scheduled',
    scheduledAt: '2099-01-01T09:00:00Z',
  });
  await page.goto(`/dashboard/campaigns/${id}`);
  await page.getByRole('button', { name: /^Actions of Cancel/ }).click();
  await page.getByRole('menuitem', { name: 'Cancel campaign' }).click();
  await expect(page.getByText('Are you sure you want to cancel this campaign?')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel campaign' }).click();
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible();
  // Behind an open question nothing has a role.
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start now' })).toHaveCount(0);
  await expect(page.getByText('Completed', { exact: true })).toHaveCount(0);
});

test('a test message goes to one’s own number', WHOLE, async ({ openAs, product }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/campaigns?search=Welcome');
  await page.getByRole('link', { name: 'Welcome Campaign', exact: true }).click();
  await page.getByRole('button', { name: 'Send test to myself' }).click();
  await page.getByLabel('Your phone number').fill('+44 7700 900777');
  await page.getByRole('button', { name: 'Send test', exact: true }).click();
  await expect(page.getByText('Test message sent to +447700900777')).toBeVisible();
  const answer = await callSandbox<unknown>(product, '/_sandbox/whatsapp/messages');
  expect(JSON.stringify(answer)).toContain('447700900777');
});

test('quiet hours are kept with the campaign', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  const name = `Quiet ${Date.now()}`;
  const id = await createCampaign(page, name, await addContacts(page, 1));
  await page.goto(`/dashboard/campaigns/${id}?form=edit`);
  await page.getByText('More options').click();
  await page.getByRole('switch', { name: 'Quiet hours' }).check();
  await page.getByLabel('From', { exact: true }).fill('00:00');
  await page.getByLabel('To', { exact: true }).fill('23:59');
  await page.getByRole('button', { name: 'Update Campaign' }).click();
  await expect(page.getByText('00:00 to 23:59 (UTC)')).toBeVisible();
  await start(page);
  await expect(page.getByText('Quiet hours. Sending continues automatically when they end.')).toBeVisible();
});

test('each role finds the acts that it may do', WHOLE, async ({ openAs }) => {
  const admin = await openAs('admin');
  const name = `Roles ${Date.now()}`;
  await createCampaign(admin, name, await addContacts(admin, 1));

  const agent = await openAs('agent');
  await agent.goto(`/dashboard/campaigns?search=${encodeURIComponent(name)}`);
  await expect(agent.getByRole('heading', { name })).toBeVisible();
  await expect(agent.getByRole('button', { name: 'Create Campaign' }).first()).toBeVisible();
  await expect(agent.getByRole('button', { name: 'Start', exact: true })).toHaveCount(0);
  await agent.getByRole('button', { name: `Actions of ${name}` }).click();
  await expect(agent.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible();
  await expect(agent.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0);

  const viewer = await openAs('viewer');
  await viewer.goto(`/dashboard/campaigns?search=${encodeURIComponent(name)}`);
  await expect(viewer.getByRole('heading', { name })).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Create Campaign' })).toHaveCount(0);
  await expect(viewer.getByRole('button', { name: `Actions of ${name}` })).toHaveCount(0);
});

test('leaving a changed form asks first', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/campaigns?form=new');
  await page.getByLabel('Campaign Name *').fill('Half done');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Your changes on this page are not saved and will be lost.')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Campaign Name *')).toHaveValue('Half done');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('campaigns are accessible and fit a telephone', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/campaigns');
  await expect(page.getByRole('link', { name: 'Welcome Campaign', exact: true })).toBeVisible();
  await expectFitsEverywhere(page, 'campaigns');
  await page.getByRole('link', { name: 'Welcome Campaign', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Recipients' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Ann Lee' })).toBeVisible();
  await expectFitsEverywhere(page, 'campaign');
  await page.goto('/dashboard/campaigns?form=new');
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
  await expectFitsEverywhere(page, 'campaign-form');
});

async function block(page: Page, contactId: string | undefined): Promise<void> {
  const { version } = await (await page.request.get(`/api/contacts/${contactId}`)).json();
  const blocked = await page.request.patch(`/api/contacts/${contactId}`, {
    data: { version, status: 'blocked' },
  });
  expect(blocked.ok(), await blocked.text()).toBe(true);
}

async function createCampaign(
  page: Page,
  name: string,
  contactIds: string[],
  more: object = {},
): Promise<string> {
  const templates = await (await page.request.get('/api/templates?status=approved&search=Order')).json();
  const created = await page.request.post('/api/campaigns', {
    headers: actKey(),
    data: { name, message: { templateId: templates.items[0].id }, audience: { contactIds }, ...more },
  });
  expect(created.ok(), await created.text()).toBe(true);
  return (await created.json()).id;
}

async function addContacts(page: Page, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const created = await page.request.post('/api/contacts', {
      headers: actKey(),
      data: { name: `Person ${index}`, phone: `+49151${String(Math.random()).slice(2, 10)}` },
    });
    expect(created.ok(), await created.text()).toBe(true);
    ids.push((await created.json()).id);
  }
  return ids;
}
