import { callSandbox, expect, expectFitsEverywhere, test, WHOLE, inWhole } from './journey.ts';

// An address that is none is refused; the browser notes it on its own.
test.use({ allowedConsole: [/Failed to load resource/] });

const FROM = '+447911020001';

test(
  'a colleague sees who is there, changes the contact beside the chat, and begins another chat',
  WHOLE,
  async ({ openAs, product }) => {
    await callSandbox(product, '/_sandbox/whatsapp/inbound', {
      from: FROM,
      name: 'Zoë Marsh',
      text: 'Is it open?',
    });
    const agent = await openAs('agent');
    await agent.goto('/dashboard/inbox');
    await agent
      .getByRole('link', { name: /Zoë Marsh/ })
      .first()
      .click();
    await agent.getByRole('button', { name: 'Contact', exact: true }).click();
    const panel = agent.getByRole('complementary', { name: 'Contact' });
    await expect(panel.getByRole('heading', { name: 'Timeline' })).toBeVisible();

    // What the customer writes meanwhile stands in the list by itself.
    await callSandbox(product, '/_sandbox/whatsapp/inbound', {
      from: FROM,
      name: 'Zoë Marsh',
      text: 'And now?',
    });
    await expect(agent.getByRole('link', { name: /Zoë Marsh.*And now\?/s }).first()).toBeVisible();

    const manager = await openAs('manager');
    await manager.goto(new URL(agent.url()).pathname);
    await expect(agent.getByRole('img', { name: /^Also here: / }).first()).toBeVisible();

    await panel.getByRole('button', { name: 'Change Email' }).click();
    const field = panel.getByRole('textbox', { name: 'Email' });
    await field.fill('zoe');
    await agent.keyboard.press('Enter');
    await expect(panel.getByText('Please enter a valid email address')).toBeVisible();
    await field.fill('zoe@example.com');
    await agent.keyboard.press('Enter');
    await expect(panel.getByRole('button', { name: 'Change Email' })).toBeFocused();
    await expect(panel.getByText('zoe@example.com')).toBeVisible();
    await expectFitsEverywhere(agent, 'contact-panel');
    // The contact stands beside the chat, not on it.
    await agent.getByRole('textbox', { name: 'Message to Zoë Marsh' }).fill('Yes');
    await agent.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(agent.getByRole('article', { name: /: Yes/ })).toBeVisible();
    // Where there is no room beside the chat it lies over a part of it, and goes with Escape or a press beside it.
    const size = agent.viewportSize()!; // every window has one
    await agent.setViewportSize({ width: 1024, height: 800 });
    await expect(panel).toBeFocused();
    await agent.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    const toggle = agent.getByRole('button', { name: 'Contact', exact: true });
    await toggle.click();
    await expect(panel).toBeFocused();
    const box = (await panel.boundingBox())!; // it is shown
    await agent.mouse.click(box.x - 20, box.y + 300);
    await expect(panel).toBeHidden();
    await expect(toggle).toBeFocused();
    await agent.setViewportSize(size);
    await manager.close();
    await expect(agent.getByRole('img', { name: /^Also here: / })).toHaveCount(0);

    await agent.goto('/dashboard/inbox?dialog=new-chat');
    const dialog = agent.getByRole('dialog', { name: 'New Chat' });
    await dialog.getByRole('searchbox', { name: 'To' }).fill('+44 7911 020002');
    await expect(dialog.getByRole('button', { name: /Write to a new number/ })).toBeVisible();
    await inWhole(() => expectFitsEverywhere(agent, 'new-chat'));
    await agent.keyboard.press('Enter');
    await expect(agent).toHaveURL(/\/dashboard\/inbox\/[0-9a-f-]{36}/);
    await expect(agent.getByRole('heading', { name: '+44 7911 020002' }).first()).toBeVisible();
  },
);

test(
  'whoever hides the number is answered, and a chat that is marked as unread is left',
  WHOLE,
  async ({ openAs, product }) => {
    const from = '447911020003';
    await callSandbox(product, `/_sandbox/whatsapp/users/${from}/profile`, {
      name: 'Hidden Hal',
      hidesNumber: true,
    });
    await callSandbox(product, '/_sandbox/whatsapp/inbound', { from, text: 'Who am I?' });
    const agent = await openAs('agent');
    await agent.goto('/dashboard/inbox');
    const row = agent.getByRole('link', { name: /^Hidden Hal/ });
    await row.click();
    await expect(agent.getByText('Hidden number').first()).toBeVisible();
    const field = agent.getByRole('textbox', { name: 'Message to Hidden Hal' });
    await field.fill('No matter');
    await field.press('Enter');
    await expect(agent.getByRole('article', { name: /No matter.*(Delivered|Read)$/ })).toBeVisible();
    await expect(row).not.toHaveAccessibleName(/unread/);

    await agent.reload();
    await expect(agent.getByRole('article', { name: /No matter/ })).toBeVisible();
    await agent.getByRole('button', { name: 'More actions' }).click();
    await agent.getByRole('menuitem', { name: 'Mark as unread' }).click();
    await expect(agent.getByText('No chat is open')).toBeVisible();
    await expect(row).toHaveAccessibleName(/1 unread message/);
  },
);
