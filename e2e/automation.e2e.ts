import type { Page } from '@playwright/test';
import {
  actKey,
  callSandbox,
  expect,
  expectFitsEverywhere,
  expectWordsFit,
  inWhole,
  test,
  WHOLE,
} from './journey.ts';

/** A contact of its own, as each journey tags one. */
async function addContact(page: Page, name: string): Promise<{ id: string; phone: string }> {
  const phone = `+4915${String(Date.now()).slice(-9)}`;
  const created = await page.request.post('/api/contacts', { headers: actKey(), data: { name, phone } });
  expect(created.ok(), await created.text()).toBe(true);
  return { id: (await created.json()).id, phone };
}

async function tagContact(page: Page, contactId: string, tag: string): Promise<void> {
  const data = { choice: { contactIds: [contactId] }, addTags: [tag] };
  const tagged = await page.request.post('/api/contacts/bulk-edit', { headers: actKey(), data });
  expect(tagged.ok(), await tagged.text()).toBe(true);
}

/** By keyboard: the button moves when the draft is saved and a problem above it goes away. */
async function addStep(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add step', exact: true }).press('Enter');
  await page.getByRole('combobox', { name: 'Search steps' }).fill(name);
  await expect(page.getByRole('option')).toHaveText([name]);
  await page.keyboard.press('Enter');
}

test('an admin builds a workflow: a contact gets a tag, the phone receives the template, and the log says why', async ({
  openAs,
  product,
}) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/automation');
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Welcome newsletter subscribers' }),
  ).toContainText(/Triggered2Completed2Failed0/);
  await inWhole(() => expectFitsEverywhere(page, 'workflows-sample'));

  await page.getByRole('button', { name: 'Create Workflow' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Greet VIPs');
  await dialog.getByLabel('Description').fill('Sends the order update to new VIPs.');
  await dialog.getByLabel('Trigger').click();
  await page.getByRole('option', { name: 'Tag added' }).click();
  await dialog.getByRole('button', { name: 'Create', exact: true }).dblclick();
  await expect(page.getByRole('heading', { name: 'Greet VIPs' })).toBeVisible();

  // Publishing says what is missing, at the place where it is missing.
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText(/2 things are missing or wrong/)).toBeVisible();
  const trigger = page.getByRole('button', { name: /^Tag added/ });
  await expect(trigger).toContainText('Needs attention');
  await trigger.click();
  await page.getByLabel('Any of these tags').fill('greet-me');
  await page.keyboard.press('Enter');
  await trigger.click();
  await expect(trigger).toContainText('greet-me');
  await addStep(page, 'Send message');
  // The list is drawn anew when what was found arrives, and a press may fall into that moment.
  await expect(async () => {
    await page.getByLabel('Template', { exact: true }).fill('Order');
    await page.getByRole('option', { name: /Order Update/ }).click({ timeout: 5_000 });
  }).toPass();
  for (const field of await page.getByRole('group', { name: 'Placeholders' }).getByRole('textbox').all())
    await field.fill('today');
  const step = page.getByRole('button', { name: /1\. Send message/ });
  await expect(step).toContainText('Order Update');
  await step.click();
  await addStep(page, 'Add tag');
  await page.getByLabel('Tag', { exact: true }).fill('greeted');
  await page.keyboard.press('Enter');
  await expectFitsEverywhere(page, 'workflow-steps');
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Workflow published')).toBeVisible();
  // Drafts save by themselves: nothing is lost by a reload.
  await page.reload();
  await expect(page.getByRole('button', { name: /2\. Add tag/ })).toContainText('greeted');
  await expect(page.getByRole('switch', { name: 'Greet VIPs is active' })).toBeChecked();

  const contact = await addContact(page, 'Ines Vip');
  await tagContact(page, contact.id, 'greet-me');
  await expect
    .poll(async () =>
      JSON.stringify(
        await callSandbox(
          product,
          `/_sandbox/whatsapp/messages?recipient=${encodeURIComponent(contact.phone)}`,
        ),
      ),
    )
    .toContain('"template"');
  await page.getByRole('tab', { name: 'Run log' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Ines Vip' });
  await expect(row).toContainText('Completed');
  await inWhole(() => expectFitsEverywhere(page, 'workflow-runs'));
  await row.getByText('Ines Vip').click();
  const log = page.getByRole('dialog').getByRole('list', { name: 'What happened' });
  await expect(log.getByRole('listitem')).toHaveText([
    /Tag added.*greet-me/s,
    /Send message.*Order Update.*Message sent/s,
    /Add tag.*greeted.*Done/s,
  ]);
  await expectFitsEverywhere(page, 'workflow-log');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Workflows' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'Greet VIPs' });
  await expect(card).toContainText('Trigger: Tag added');
  await expect(card).toContainText(/Triggered1Completed1Failed0/);
  await page.getByRole('tab', { name: 'Analytics' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Greet VIPs' })).toContainText('100.0%');
  await page.getByLabel('Minutes that a step would take a person').fill('30');
  await expect(page.getByText('At 30 minutes for each step of a completed run')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Greet VIPs' })).toContainText('1 hr');
  await inWhole(() => expectFitsEverywhere(page, 'workflow-figures'));
  await page.getByRole('tab', { name: 'Workflows' }).click();
  await inWhole(() => expectFitsEverywhere(page, 'workflows'));
});

test(
  'a workflow of a template is duplicated and deleted; its words fit in another language',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/automation?form=new');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Start from').click();
    await page.getByRole('option', { name: /^Welcome/ }).click();
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Welcome');
    await dialog.getByLabel('Template', { exact: true }).fill('Order');
    await page.getByRole('option', { name: /Order Update/ }).click();
    await expectFitsEverywhere(page, 'workflow-template');
    await dialog.getByLabel('Name', { exact: true }).fill('Short life');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.getByRole('button', { name: /1\. Send message/ })).toContainText('Order Update');
    await page.getByRole('button', { name: 'Actions of Short life' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect(page.getByText('Workflow duplicated')).toBeVisible();
    await expectWordsFit(page, 'workflow-copy');
    await page.getByRole('button', { name: /^Actions of/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('Workflow deleted')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Short life', exact: true })).toHaveCount(1);
  },
);

test('a viewer looks at workflows and their log, and changes nothing', WHOLE, async ({ openAs }) => {
  const admin = await openAs('admin');
  const made = await admin.request.post('/api/workflows', {
    headers: actKey(),
    data: {
      name: 'For all to see',
      steps: [{ id: 'end', type: 'stop', config: { outcome: 'completed' } }],
      start: 'end',
    },
  });
  const { id } = await made.json();
  const page = await openAs('viewer');
  await page.goto('/dashboard/automation');
  await expect(page.getByRole('button', { name: 'Create Workflow' })).toHaveCount(0);
  await page.goto(`/dashboard/automation/${id}`);
  await expect(page.getByText(/Your role does not allow changing/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0);
  await page.getByRole('button', { name: /1\. Stop/ }).click();
  await expect(page.getByLabel('The run ends as')).toBeDisabled();
});

test.describe('without a session', () => {
  test.use({ allowedConsole: [/401 \(Unauthorized\)/] });

  test('a session that ends while a draft is edited loses nothing of it', WHOLE, async ({ openAs }) => {
    const page = await openAs('manager');
    const made = await page.request.post('/api/workflows', {
      ...{ headers: actKey(), data: { name: 'Interrupted', steps: [], start: null } },
    });
    const { id } = await made.json();
    await page.goto(`/dashboard/automation/${id}?tab=settings`);
    const description = page.getByLabel('Description');
    await expect(description).toBeEditable();
    // Only saving the draft tells the page that the session has ended: its other requests get no answer meanwhile.
    const asksElse = (url: URL) =>
      url.pathname.includes('/api/rpc/') && !url.pathname.includes('/workflows/');
    await page.route(asksElse, () => {});
    const cookies = (await page.context().cookies()).filter(({ name }) => name !== 'signed-in');
    for (const { name } of cookies) await page.context().clearCookies({ name });
    await description.fill('Written without a session');
    await expect(page.getByText('Your session has ended.')).toBeVisible();
    await page.unroute(asksElse);
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(stored).not.toContain('Written');

    await page.getByRole('textbox', { name: 'Email' }).fill('manager@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill('Welcome123');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(description).toHaveValue('Written without a session');
    await expect(page.getByText('Draft saved')).toBeVisible();
    const { flow } = await (await page.request.get(`/api/workflows/${id}`)).json();
    expect(flow.description).toBe('Written without a session');
    await page.reload();
    await expect(description).toHaveValue('Written without a session');
  });
});

test(
  'a workflow is drawn on the canvas by keyboard alone, and the list shows the same steps',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    const flow = {
      ...{
        name: 'Drawn',
        start: 'ask',
        triggers: [{ id: 'go', type: 'tag_added', config: { tags: ['draw-me'] } }],
      },
      steps: [
        {
          ...{ id: 'ask', type: 'wait_for_reply', config: { timeout: { amount: 1, unit: 'days' } } },
          next: { replied: 'thank', timed_out: null },
        },
        { id: 'thank', type: 'add_tag', config: { tag: 'replied' }, next: {} },
      ],
    };
    const made = await page.request.post('/api/workflows', { headers: actKey(), data: flow });
    expect(made.ok(), await made.text()).toBe(true);
    await page.goto(`/dashboard/automation/${(await made.json()).id}`);
    await page.getByRole('button', { name: 'Canvas', exact: true }).click();
    const canvas = page.getByRole('group', { name: 'Steps on the canvas' });
    const step = (name: string) => canvas.getByRole('button', { name: new RegExp(name) });

    // The mouse reaches what nobody can drag, too.
    await canvas.getByRole('button', { name: /^Starts when/ }).click();
    await page.getByRole('button', { name: /^Tag added/ }).click();
    await expect(page.getByRole('list', { name: 'Tags' }).getByText('draw-me')).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();
    await canvas.getByRole('button', { name: /^Starts when/ }).focus();
    await page.keyboard.press('ArrowDown');
    await expect(step('1. Wait for a reply')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(step('2. Add tag')).toBeFocused();
    await page.keyboard.press('a');
    await page.getByLabel('Search steps').fill('remove');
    await page.keyboard.press('Enter');
    await expect(step('3. Remove tag')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Tag', { exact: true })).toBeFocused();
    await page.keyboard.type('pending');
    await page.keyboard.press('Enter');
    await expect(step('3. Remove tag')).toContainText('pending');
    await expectFitsEverywhere(page, 'workflow-canvas');

    // Copied, undone and done again; what is drawn is what the list has.
    await step('3. Remove tag').focus();
    await page.keyboard.press('ControlOrMeta+c');
    await page.keyboard.press('ControlOrMeta+v');
    await expect(step('4. Remove tag')).toBeFocused();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(step('4. Remove tag')).toBeHidden();
    await page.getByRole('button', { name: 'Redo' }).click();
    await expect(step('4. Remove tag')).toBeVisible();
    await step('4. Remove tag').focus();
    await page.keyboard.press('Delete');
    await expect(step('4. Remove tag')).toBeHidden();
    await page.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('Workflow published')).toBeVisible();
    await page.getByRole('button', { name: 'Figures of each step' }).click();
    await expect(canvas).toContainText('0 reached');
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await expect(page.getByRole('button', { name: /3\. Remove tag/ })).toContainText('pending');
  },
);

test(
  'What if: the draft is tried with what happened, and says who would no longer enter',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    const contact = await addContact(page, 'Sam Spring');
    await tagContact(page, contact.id, 'spring');
    const flow = (tag: string) => ({
      ...{ name: 'Seasons', start: 'mark', steps: [{ id: 'mark', type: 'add_tag', config: { tag: 'met' } }] },
      triggers: [{ id: 'go', type: 'tag_added', config: { tags: [tag] } }],
    });
    const made = await page.request.post('/api/workflows', { headers: actKey(), data: flow('spring') });
    expect(made.ok(), await made.text()).toBe(true);
    const { id, version } = await made.json();
    const published = await page.request.post(`/api/workflows/${id}/publish`, {
      ...{ headers: actKey(), data: { version } },
    });
    expect(published.ok(), await published.text()).toBe(true);
    const saved = await page.request.put(`/api/workflows/${id}`, {
      ...{ headers: actKey(), data: { ...flow('autumn'), version: (await published.json()).version } },
    });
    expect(saved.ok(), await saved.text()).toBe(true);

    await page.goto(`/dashboard/automation/${id}?tab=what-if`);
    await page.getByRole('button', { name: 'Try the draft' }).click();
    const found = page.getByRole('region', { name: 'Contacts with a difference' });
    await expect(found.getByText('Sam Spring')).toBeVisible();
    await found.getByLabel('Difference').selectOption('Would enter');
    await expect(found.getByText('No contact with this difference')).toBeVisible();
    await found.getByLabel('Difference').selectOption('Would no longer enter');
    await expect(found.getByText('Sam Spring')).toBeVisible();
    await inWhole(() => expectFitsEverywhere(page, 'workflow-what-if'));
    const after = await (await page.request.get(`/api/contacts/${contact.id}`)).json();
    expect(after.tags).toEqual(['spring']);
  },
);
