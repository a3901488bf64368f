import type { Page } from '@playwright/test';
import { expect, expectWordsFit, test, WHOLE } from './journey.ts';

test.describe('in a German browser', () => {
  // A request that was on its way at signing out is refused, which every browser notes in its console.
  test.use({ locale: 'de-DE', allowedConsole: [/responded with a status of 401/] });

  test(
    'sign-in is German, the language chosen inside is kept, and sign-in is in it afterwards',
    WHOLE,
    async ({ page }) => {
      await page.goto('/login');
      await expect(page.locator('html')).toHaveAttribute('lang', 'de');
      await expect(page.getByRole('heading', { name: 'Willkommen zurück' })).toBeVisible();
      await page.getByLabel('E-Mail').fill('manager@example.com');
      await page.getByRole('textbox', { name: 'Passwort' }).fill('Welcome123');
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await expect(page.getByRole('heading', { name: 'Letzte Kampagnen' })).toBeVisible();

      const saved = page.waitForResponse((response) => response.url().includes('profile/setLanguage'));
      await page.getByRole('button', { name: 'Sprache', exact: true }).click();
      await page.getByRole('radio', { name: 'Français' }).check();
      await page.getByRole('button', { name: 'Diese Sprache verwenden' }).click();
      await expect(page.getByRole('heading', { name: 'Campagnes récentes' })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
      expect((await saved).ok()).toBe(true);

      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Campagnes récentes' })).toBeVisible();
      expect(asked.filter((path) => /words-.*\/(en|de|es|pt)\//.test(path))).toEqual([]);

      const second = await page.context().newPage();
      await second.goto('/dashboard/contacts');
      await expect(second.getByRole('button', { name: 'Ajouter un contact' })).toBeVisible();
      await second.close();
      await page.getByRole('button', { name: 'Se déconnecter' }).click();
      await expect(page.getByRole('heading', { name: 'Bon retour' })).toBeVisible();
    },
  );

  test('what was typed before sign-in stays when the language changes', WHOLE, async ({ page }) => {
    await page.goto('/register');
    await page.getByLabel('Vorname').fill('Zoë');
    await page.getByLabel('E-Mail').fill('zoe@example.com');
    await page.getByRole('textbox', { name: 'Passwort', exact: true }).fill('Geheim123');
    await page.getByLabel('Sprache').focus();
    await page.getByLabel('Sprache').selectOption('es');
    await expect(page.getByRole('heading', { name: 'Cree su cuenta' })).toBeVisible();
    await expect(page.getByLabel('Nombre')).toHaveValue('Zoë');
    await expect(page.getByLabel('Correo electrónico')).toHaveValue('zoe@example.com');
    await expect(page.getByRole('textbox', { name: 'Contraseña', exact: true })).toHaveValue('Geheim123');
    await expect(page.getByLabel('Idioma')).toBeFocused();
    await expect(page.getByLabel('Idioma')).toHaveValue('es');
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'Empezar' }).first()).toBeVisible();
  });

  test(
    'the pages before sign-in fit in German, and the mail asked for there is in the language of its reader',
    WHOLE,
    async ({ page, product }) => {
      const session = await page.request.post('/api/auth/sign-in/email', {
        data: { email: 'viewer@example.com', password: 'Welcome123' },
      });
      expect(session.ok()).toBe(true);
      const chosen = await page.request.put('/api/profile/language', { data: { language: 'fr' } });
      expect(chosen.ok()).toBe(true);
      await page.request.post('/api/auth/sign-out', { data: {} });

      await expectFits(page, [
        { path: '/', sign: 'Loslegen' },
        { path: '/login', sign: 'Anmelden' },
        { path: '/register', sign: 'Konto erstellen' },
        { path: '/forgot-password', sign: 'Link senden' },
      ]);
      await page.getByLabel('E-Mail').fill('viewer@example.com');
      await page.getByRole('button', { name: 'Link senden' }).click();
      await expect(page.getByRole('heading', { name: 'Prüfen Sie Ihre E-Mails' })).toBeVisible();
      const readMails = async () => (await fetch(`${product.sandboxUrl}/_sandbox/mail`)).text();
      await expect.poll(readMails).toContain('Choisissez un nouveau mot de passe');
      expect(await readMails()).toContain('Ce lien fonctionne une seule fois');
    },
  );
});

test('lists and forms inside fit in German', async ({ openAs }) => {
  await expectFits(await openAs('admin', { locale: 'de-DE' }), [
    { path: '/dashboard/contacts', sign: 'Ann Lee' },
    { path: '/dashboard/campaigns?form=new', sign: 'Name der Kampagne' },
  ]);
});

test('the other pages and forms inside fit in German', WHOLE, async ({ openAs }) => {
  await expectFits(await openAs('admin', { locale: 'de-DE' }), [
    { path: '/dashboard', sign: 'Letzte Kampagnen' },
    { path: '/dashboard/templates?dialog=new', sign: 'Bereit für die Prüfung?' },
    { path: '/dashboard/templates', sign: 'Vorlage erstellen' },
    { path: '/dashboard/campaigns', sign: 'Kampagne erstellen' },
    { path: '/dashboard/users', sign: 'admin@example.com' },
    { path: '/dashboard/profile', sign: 'Mein Profil' },
    { path: '/dashboard/contacts?dialog=new', sign: 'Kontakt hinzufügen' },
    { path: '/dashboard/contacts?dialog=import', sign: 'Kontakte importieren' },
    { path: '/dashboard/contacts?dialog=segment', sign: 'Bedingung hinzufügen' },
    { path: '/dashboard/bulk-message', sign: 'Kontakte auswählen' },
  ]);
});

/** Words of each tab of the settings. */
const SETTINGS = {
  'en-US': {
    general: 'Business Name',
    api: 'Webhook Setup',
    messaging: 'Business Hours',
    notifications: 'What you are notified about',
    data: 'Full Archive',
  },
  'es-ES': {
    general: 'Nombre de la empresa',
    api: 'Configuración del webhook',
    messaging: 'Horario comercial',
    notifications: 'De qué se le avisa',
    data: 'Archivo completo',
  },
  'fr-FR': {
    general: 'Nom de l’entreprise',
    api: 'Configuration du webhook',
    messaging: 'Heures d’ouverture',
    notifications: 'Ce dont vous êtes prévenu',
    data: 'Archive complète',
  },
  'de-DE': {
    general: 'Name des Unternehmens',
    api: 'Webhook einrichten',
    messaging: 'Geschäftszeiten',
    notifications: 'Worüber Sie benachrichtigt werden',
    data: 'Vollständiges Archiv',
  },
  'pt-BR': {
    general: 'Nome da empresa',
    api: 'Configuração do webhook',
    messaging: 'Horário comercial',
    notifications: 'Sobre o que você é avisado',
    data: 'Arquivo completo',
  },
} as const;

for (const [locale, signs] of Object.entries(SETTINGS))
  test(`each tab of the settings fits in ${locale}`, WHOLE, async ({ openAs }) => {
    await expectFits(
      await openAs('admin', { locale }),
      Object.entries(signs).map(([tab, sign]) => ({ path: `/dashboard/settings?tab=${tab}`, sign })),
      locale,
    );
  });

test('a form with unsaved words is waited for', WHOLE, async ({ openAs }) => {
  const page = await openAs('agent');
  await page.goto('/dashboard/contacts?dialog=new');
  await page.getByLabel('Name *').fill('Half typed');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Type a page, an action or a name').fill('Deutsch');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText('The language changes as soon as the open form is saved or closed.'),
  ).toBeVisible();
  await expect(page.getByLabel('Name *')).toHaveValue('Half typed');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Kontakt hinzufügen' }).first()).toBeVisible();
  await page.context().request.put('/api/profile/language', { data: { language: 'en' } });
});

/** Each of these states fits on every screen and cuts no word; the state is known by words that stand in it. */
async function expectFits(
  page: Page,
  states: { path: string; sign: string }[],
  language = 'german',
): Promise<void> {
  for (const { path, sign } of states)
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByText(sign).filter({ visible: true }).first()).toBeVisible();
      const name = path.replaceAll(/\W+/g, '-').slice(1);
      await expectWordsFit(page, `${language}-${name || 'landing'}`);
      await expectNothingCut(page);
    });
}

/** On a telephone no word of ours ends in dots, and nothing to press stands outside; names, addresses and messages of people may be cut. */
async function expectNothingCut(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 780 });
  // The page takes a moment to become that of a telephone.
  await expect.poll(() => findCut(page)).toEqual([]);
  if (size) await page.setViewportSize(size);
}

async function findCut(page: Page): Promise<string[]> {
  const cut = await page.evaluate(() => {
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('[inert], [aria-hidden="true"], [class*="sr-only"]');
    const all = [...document.querySelectorAll('body *')].filter(isShown);
    const dotted = all.filter(
      (element) =>
        getComputedStyle(element).textOverflow === 'ellipsis' &&
        element.scrollWidth > element.clientWidth + 1,
    );
    const outside = all.filter(
      (element) =>
        element.matches('header a, header button, [role="dialog"] button') &&
        element.getBoundingClientRect().right > innerWidth + 1,
    );
    return [...dotted, ...outside].map((element) => element.textContent.trim());
  });
  return cut.filter((text) => !/@example\.com|\+\d[\d ]{5}|127\.0\.0\.1|And could it be here/.test(text));
}
