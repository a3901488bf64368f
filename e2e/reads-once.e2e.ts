import { expect, inWhole, test, watchCalls, WHOLE } from './journey.ts';

const contactReads = ['contacts/list', 'contacts/summarize', 'contacts/listTags', 'segments/list'] as const;

/**
 * Once for the answer and the address. On a busy machine the event may come after that read, and the page cannot know that it tells
 * of the same change: then once more.
 */
function expectOnce(reads: Record<string, number>, act: string): void {
  for (const [procedure, count] of Object.entries(reads)) {
    expect(count, `${procedure} after ${act}`).toBeGreaterThanOrEqual(1);
    expect(count, `${procedure} after ${act}`).toBeLessThanOrEqual(2);
  }
}

test(
  'a change of contacts is read once, though its answer, its event and the address tell of it',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin', { savesData: false });
    const calls = watchCalls(page);
    const digits = String(Math.random()).slice(2, 10);
    await page.goto('/dashboard/contacts');
    // What is read ahead of other pages is not of the act.
    await calls.seen('campaigns/list');

    await inWhole(async () => {
      await page.getByRole('button', { name: 'Segments' }).click();
      await page.getByRole('menuitem', { name: 'New Segment' }).click();
      const dialog = page.getByRole('dialog', { name: 'New Segment' });
      await dialog.getByLabel('Segment name').fill(`Once ${digits}`);
      await dialog.getByLabel('Value of condition 1').fill('vip');
      await expect(dialog.getByRole('status')).toHaveText(/contacts?$/);
      const ofSegment = await calls.during(contactReads, async () => {
        await dialog.getByRole('button', { name: 'Save' }).click();
        await expect(page).toHaveURL(/filter=segment/);
      });
      expectOnce(ofSegment, 'a segment');
      await page.goto('/dashboard/contacts');
      await calls.seen('campaigns/list');
    });

    await page.getByRole('button', { name: 'Add Contact' }).click();
    const form = page.getByRole('dialog');
    const name = `Once ${digits}`;
    await form.getByLabel('Name *').fill(name);
    await form.getByLabel(/^Phone/).fill(`+49151${digits}`);
    const ofContact = await calls.during(contactReads, async () => {
      await form.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible();
    });
    expectOnce(ofContact, 'a contact');

    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    const ofRemoval = await calls.during(contactReads, async () => {
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      // Behind an open question no row has a role.
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
      await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(0);
    });
    expectOnce(ofRemoval, 'a deletion');
  },
);

test('a change of templates and of campaigns is read once', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin', { savesData: false });
  const calls = watchCalls(page);
  const digits = String(Math.random()).slice(2, 10);
  const templateReads = ['templates/list', 'templates/summarize'] as const;
  await page.goto('/dashboard/templates?dialog=new');
  await calls.seen('campaigns/list');
  const editor = page.getByRole('dialog');
  await editor.getByLabel('Template Name').fill(`once_${digits}`);
  await editor.getByLabel('Body text').fill('Read once.');
  const ofTemplate = await calls.during(templateReads, async () => {
    await editor.getByRole('button', { name: 'Create Template' }).click();
    await expect(editor).toBeHidden();
  });
  expectOnce(ofTemplate, 'a template');

  const campaignReads = ['campaigns/list', 'campaigns/summarize'] as const;
  await page.goto('/dashboard/campaigns?form=new');
  await calls.seen('templates/summarize');
  const form = page.getByRole('dialog');
  const name = `Once ${digits}`;
  await form.getByLabel('Campaign Name *').fill(name);
  await form.getByLabel('Template *').click();
  await page.getByRole('option', { name: /Welcome Message/ }).click();
  await form.getByRole('option').first().click();
  const ofCampaign = await calls.during(campaignReads, async () => {
    await form.getByRole('button', { name: 'Create Campaign' }).click();
    await expect(form).toBeHidden();
  });
  expectOnce(ofCampaign, 'a campaign');
});
