import type { Page } from '@playwright/test';
import { expect, expectFitsEverywhere, test, WHOLE } from './journey.ts';

// A refused sign-in is an answer of 401, 403 or 429, which every browser notes in its console.
test.use({ allowedConsole: [/status of 4(01|03|22|29)/] });

test('a visitor is asked to sign in and then brought to the page that was wanted', async ({ page }) => {
  await page.goto('/contacts?search=ann');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await expect(page.getByText('Password is required')).toBeVisible();

  await page.getByLabel('Email').fill('admin@example.com');
  await expect(page.getByText('Email is required')).toBeHidden();
  await page.getByRole('textbox', { name: 'Password' }).fill('Wrong1234');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('Invalid email or password');
  await page.getByRole('textbox', { name: 'Password' }).press('End');
  await page.getByRole('textbox', { name: 'Password' }).fill('Welcome123');
  await expect(page.getByText('Invalid email or password')).toBeHidden();

  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard\/contacts\?search=ann/);
});

test('what is typed and pressed before the script is there counts', WHOLE, async ({ page }) => {
  const script = Promise.withResolvers<void>();
  await page.route('**/assets/public-main-*.js', async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('admin@example.com');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Password' }).focus();
  expect(new URL(page.url()).search).toBe('');
  script.resolve();
  await expect(page.getByText('Password is required')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('admin@example.com');
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused();
});

test(
  'signing out leads to the sign-in page, also when another answer says first that the session is over',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('viewer');
    await page.goto('/dashboard');
    await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
    await page.route('**/api/auth/sign-out', async (route) => {
      const answer = await route.fetch();
      const refused = page.waitForResponse((response) => response.status() === 401);
      await page.getByRole('link', { name: 'Templates', exact: true }).click();
      await refused;
      await route.fulfill({ response: answer });
    });
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL(/\/login$/);
  },
);

test('the sample sign-in is filled in with one press, and signing out leaves nothing in the browser', async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Fill in' }).click();
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('Welcome123');
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('complementary')).toContainText('Amara Okafor');

  const kept = await page.evaluate(
    () =>
      JSON.stringify([localStorage, sessionStorage]) + document.cookie + document.documentElement.outerHTML,
  );
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name.endsWith('session_token'));
  expect(token).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect(kept).toContain('admin@example.com');
  for (const secret of [
    decodeURIComponent(token?.value ?? '').split('.')[0],
    'Welcome123',
    'sandbox-a',
    'sandbox-v',
  ])
    expect(kept).not.toContain(secret);

  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  const left = await page.evaluate(() => Object.keys(localStorage));
  expect(left.filter((key) => key.startsWith('offline.'))).toEqual([]);
  // The note that spares this browser the limits for strangers; it opens nothing and names nobody.
  const stayed = await page.context().cookies();
  expect(stayed).toMatchObject([{ name: 'messaging.device', httpOnly: true, sameSite: 'Strict' }]);
  expect(stayed[0]?.value).not.toContain('admin');
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login/);
});

test(
  'whoever guesses passwords has to wait, and the browser that signed in before does not',
  WHOLE,
  async ({ page, browser, product }) => {
    const signIn = async (tab: Page, password: string) => {
      await tab.goto(`${product.url}/login`);
      await tab.getByLabel('Email').fill('manager@example.com');
      await tab.getByRole('textbox', { name: 'Password' }).fill(password);
      await tab.getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn(page, 'Welcome123');
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();

    for (let guess = 0; guess < 10; guess += 1) {
      const answer = await fetch(`${product.url}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'manager@example.com', password: `Guess${guess}234` }),
      });
      expect(answer.status).toBe(401);
    }
    const stranger = await browser.newContext();
    const tab = await stranger.newPage();
    await signIn(tab, 'Welcome123');
    await expect(tab.getByRole('alert')).toContainText(
      'Too many failed sign-ins. Please try again in 15 minutes.',
    );
    await stranger.close();

    await signIn(page, 'Welcome123');
    await expect(page).toHaveURL(/\/dashboard$/);
  },
);

test(
  'every rule of the sign-up form is told at its field and goes with the next key',
  WHOLE,
  async ({ page }) => {
    await page.goto('/register');
    await page.getByRole('button', { name: 'Create account' }).click();
    for (const sentence of [
      'First name is required',
      'Last name is required',
      'Email is required',
      'Password is required',
    ])
      await expect(page.getByText(sentence, { exact: true })).toBeVisible();
    await page.getByLabel('First name').fill('A');
    await expect(page.getByText('First name is required')).toBeHidden();
    await page.getByLabel('Email').fill('nobody');
    await page.getByLabel('Phone number').fill('call me');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('welcome');
    await page.getByRole('textbox', { name: 'Confirm password' }).fill('other');
    await page.getByRole('button', { name: 'Create account' }).click();
    for (const sentence of [
      'Please enter a valid email address',
      'Please enter a valid phone number',
      'Password must be at least 8 characters long',
      'Passwords do not match',
    ])
      await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  },
);

test(
  'an agent is signed in at once in the sample workspace, somebody who wants to be admin has to wait',
  WHOLE,
  async ({ page }) => {
    const fill = async (email: string) => {
      await page.goto('/register');
      await page.getByLabel('First name').fill('Nadia');
      await page.getByLabel('Last name').fill('Haddad');
      await page.getByLabel('Email').fill(email);
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Welcome123');
      await page.getByRole('textbox', { name: 'Confirm password' }).fill('Welcome123');
    };
    await fill('nadia@example.com');
    await expect(page.getByRole('radio', { name: 'Agent' })).toBeChecked();
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.getByRole('button', { name: 'Sign Out' }).click();
    // Signing out loads the sign-in page; leaving before it is there would cut that short.
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();

    await fill('boss@example.com');
    await page.getByRole('radio', { name: 'Admin' }).check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { name: 'Your request is on its way' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await page.getByLabel('Email').fill('boss@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill('Welcome123');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toContainText('This account is not active');
  },
);

test('a mailed link sets a new password', WHOLE, async ({ page, product }) => {
  // On a slow line nobody types into a page that is about to go.
  await page.route('**/assets/{forgot-password,login}-page-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill('viewer@example.com');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();

  const readLink = async () => {
    const mails = await (await fetch(`${product.sandboxUrl}/_sandbox/mail`)).text();
    return /forgot-password\?token=[\w%-]+/.exec(mails)?.[0] ?? '';
  };
  await expect.poll(readLink).not.toBe('');
  await page.goto(`/${await readLink()}`);
  await page.getByLabel('New password').fill('Another123');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.getByLabel('Email').fill('viewer@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('Another123');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  // Nobody types a password into a link that is over. A page that meets the end of its session would go away by itself.
  await page.goto('/icon.svg');
  await page.context().clearCookies();
  await page.goto(`/${await readLink()}`);
  await expect(page.getByText('This link has expired or was already used.')).toBeVisible();
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
});

test('the pages before sign-in are accessible and fit a telephone', WHOLE, async ({ page }) => {
  for (const name of ['login', 'register', 'forgot-password']) {
    await page.goto(`/${name}`);
    await expect(page.getByLabel('Email')).toBeVisible();
    await expectFitsEverywhere(page, name);
  }
});
