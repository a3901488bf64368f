import { callSandbox, expect, expectFitsEverywhere, keepPicture, test, WHOLE } from './journey.ts';

const HOSTILE = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';

test(
  'a chat shows every kind of message, as text what is text, and finds its way through them',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('admin');
    const from = '14155550177';
    const say = (what: object) =>
      callSandbox<{ messageId: string }>(product, '/_sandbox/whatsapp/inbound', {
        from,
        name: 'Bo Ray',
        ...what,
      });
    const { messageId: first } = await say({ text: `*Hello* ${HOSTILE} https://shop.test/a_b` });
    await say({ text: 'Shopping:\n- milk\n- bread\n> as last week' });
    await say({ media: { sample: 'photo' } });
    await say({ media: { sample: 'voice' } });
    await say({ media: { sample: 'video' } });
    await say({ media: { sample: 'document' } });
    await say({
      message: {
        type: 'location',
        location: { latitude: 52.52, longitude: 13.405, name: HOSTILE, address: 'Alexanderplatz' },
      },
    });
    await say({
      message: {
        type: 'contacts',
        contacts: [
          { name: { formatted_name: 'Cy Lum' }, phones: [{ phone: '+14155550188', wa_id: '14155550188' }] },
        ],
      },
    });
    await say({
      message: {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: '1', title: HOSTILE.slice(0, 40) } },
      },
    });
    await say({
      message: {
        type: 'interactive',
        interactive: {
          type: 'nfm_reply',
          nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"flow_token":"x","Size":"Large"}' },
        },
      },
    });
    await say({
      message: {
        type: 'order',
        order: {
          catalog_id: '1',
          text: 'Please wrap it',
          product_items: [
            { product_retailer_id: 'red-shoe', quantity: '2', item_price: '19.5', currency: 'EUR' },
          ],
        },
      },
    });
    await say({ message: { type: 'poll', poll: {} } });
    await say({ text: 'מה שלום?', context: { id: first, forwarded: true } });
    await say({ message: { type: 'reaction', reaction: { message_id: first, emoji: '🎉' } } });

    await page.goto('/dashboard/inbox');
    await page.getByRole('link', { name: /Bo Ray/ }).click();
    const log = page.getByRole('log', { name: 'Conversation with Bo Ray' });
    const messages = log.getByRole('article');
    await expect(messages).toHaveCount(13);
    await keepPicture(page, 'chat-end');
    // Whatever came from outside is text.
    await expect(log.getByText('<script>window.hurt=1</script>').first()).toBeAttached();
    await expect(log.locator('script, [onerror]')).toHaveCount(0);
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
    await expect(log.getByRole('link', { name: 'https://shop.test/a_b' })).toHaveAttribute('rel', /noopener/);
    await expect(log.getByText('2 × red-shoe')).toBeAttached();
    await expect(log.getByText('€39.00')).toBeAttached();
    await expect(log.getByText('Large', { exact: true })).toBeAttached();
    await expect(log.getByText('Unread messages')).toBeAttached();
    await expect(log.getByRole('img', { name: /Reactions: 🎉 Bo Ray/ })).toBeAttached();

    // What was seen is read. What was jumped over and came later than the others would stay unread.
    for (const message of await messages.all()) await message.scrollIntoViewIfNeeded();
    await expect
      .poll(async () => {
        const { items } = await (await page.request.get('/api/conversations')).json();
        return items.find((one: { contact: { name: string } }) => one.contact.name === 'Bo Ray').unread;
      })
      .toBe(0);
    await keepPicture(page, 'chat-last');

    // By the keyboard alone: from the newest back to its answer, with what can be done there.
    await log.focus();
    await page.keyboard.press('ArrowUp');
    await expect(messages.last()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: /Reply/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await log.getByRole('button', { name: /^Go to the quoted message/ }).click();
    await expect(messages.first()).toBeInViewport();

    // A new one is said aloud; whoever reads further up stays where they are.
    await messages.first().scrollIntoViewIfNeeded();
    const place = await log.evaluate((view) => view.scrollTop);
    await say({ text: 'Are you there?' });
    await expect(page.getByRole('status').filter({ hasText: 'Bo Ray: Are you there?' })).toBeAttached();
    expect(await log.evaluate((view) => view.scrollTop)).toBe(place);
    await page.getByRole('button', { name: /1 new message/ }).click();
    await expect(log.getByText('Are you there?')).toBeInViewport();

    // Words are found with what stands around them, and files stand beside each other.
    await page.getByRole('button', { name: 'Search in this chat' }).click();
    await page.getByRole('searchbox', { name: 'Search in this chat' }).fill('milk');
    await expect(page.getByText('1 of 1')).toBeVisible();
    await expect(log.locator('mark')).toBeInViewport();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Media and files' }).click();
    const sheet = page.getByRole('dialog', { name: 'Media and files' });
    await sheet.getByRole('button', { name: /^Open: Photo/ }).click();
    await expect(page.getByRole('button', { name: 'Larger' })).toBeVisible();
    await keepPicture(page, 'chat-lightbox');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeVisible();
    await page.keyboard.press('Escape');
    await expectFitsEverywhere(page, 'inbox-chat');
  },
);
