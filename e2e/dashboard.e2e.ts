import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, expectFitsEverywhere, test, WHOLE } from './journey.ts';

test('the home shows figures, charts, health and campaigns of the sample, and fits a telephone', async ({
  openAs,
}) => {
  const page = await openAs('admin');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  for (const label of ['Total Contacts', 'Messages Sent', 'Delivery Rate', 'Read Rate']) {
    await expect(page.getByText(label, { exact: true })).toBeVisible();
  }
  await expect(page.getByText('vs last month').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Message Analytics' })).toBeVisible();
  await expect(page.getByText(/^Processing \d+ messages?$/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Welcome Campaign', exact: true })).toBeVisible();
  await expect(page.getByText('All Systems Operational')).toBeVisible();
  await expectFitsEverywhere(page, 'dashboard');
});

test('quick actions open the form that they name', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Add New Contact' }).click();
  await expect(page).toHaveURL(/\/dashboard\/contacts/);
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goto('/dashboard');
  // Other journeys of this product press it too.
  await expect(page.getByText('Clicked Add New Contact').first()).toBeVisible();
});

test('a viewer is offered no action that the role may not do', WHOLE, async ({ openAs }) => {
  const page = await openAs('viewer');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'System Status' })).toBeVisible();
  await expect(page.getByText('Quick Actions')).toHaveCount(0);
});

test.describe('when the server fails', () => {
  test.use({ allowedConsole: [/status of 500/] });

  test('the rest of the home goes on and says so', WHOLE, async ({ openAs }) => {
    const page = await openAs('admin');
    let isBroken = true;
    for (const path of ['getOverview', 'getHealth'])
      await page.route(`**/api/rpc/dashboard/${path}*`, (route) =>
        isBroken ? route.fulfill({ status: 500, json: {} }) : route.continue(),
      );
    await page.goto('/dashboard');
    await expect(page.getByRole('alert')).toContainText('This could not be loaded');
    await expect(page.getByRole('complementary').getByText('Some Systems Degraded')).toBeVisible();
    await expect(page.getByRole('list', { name: 'User Activity Feed' })).toContainText('Signed in');
    // The server is well again while the button is down: before that, what is told of campaigns would bring the figures back too.
    await page.getByRole('button', { name: 'Try again' }).hover();
    await page.mouse.down();
    isBroken = false;
    await page.mouse.up();
    await expect(page.getByRole('link', { name: 'Welcome Campaign', exact: true })).toBeVisible();
  });
});

test('the first views load little script', async ({ openAs, page: stranger }) => {
  const weigh = async (page: Page, path: string, language: string) => {
    const answer = await page.request.get(path, { headers: { 'accept-language': language } });
    const html = await answer.text();
    expect(html).toContain(`<html lang="${language}"`);
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, file = '']) => file);
    const scripts = await Promise.all(files.map(async (file) => (await page.request.get(file)).body()));
    return { files: files.length, bytes: scripts.reduce((sum, body) => sum + gzipSync(body).length, 0) };
  };
  const viewer = await openAs('viewer');
  for (const language of ['en', 'es', 'fr', 'de', 'pt']) {
    const signIn = await weigh(stranger, '/login', language);
    expect(signIn.files).toBeGreaterThan(0);
    expect(signIn.bytes, language).toBeLessThanOrEqual(30_000);
    const home = await weigh(viewer, '/dashboard', language);
    expect(home.files).toBeLessThanOrEqual(12);
    expect(home.files).toBeGreaterThan(0);
    expect(home.bytes, language).toBeLessThanOrEqual(140_000);
  }
});

test('a menu that opens leaves the style of the page behind it alone', WHOLE, async ({ openAs }) => {
  const page = await openAs('viewer');
  await page.goto('/dashboard');
  await expect(page.getByText('Total Contacts', { exact: true })).toBeVisible();
  // Layers are added at the end of the body. What stops being the last child is computed anew with all its elements.
  expect(await page.locator('#root').evaluate((root) => root.nextElementSibling !== null)).toBe(true);
});

test('what waits for somebody leads to where it is put right', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard');
  const needs = page.getByRole('list', { name: 'Needs attention' });
  await needs.getByRole('link', { name: /unread conversations? (has|have) nobody assigned$/ }).click();
  await expect(page).toHaveURL(/\/dashboard\/inbox\?tab=unread&assignee=nobody/);
  await page.goto('/dashboard');
  await expect(needs).toBeVisible();
  // The sample shows the first steps, though campaigns were sent in it.
  await expect(page.getByRole('list', { name: 'Getting started' })).toBeVisible();
});
