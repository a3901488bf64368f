import { t } from '../../shared/messages.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { LanguageSelect } from '../../shared/sign-in/language-select.tsx';
import { Brand } from './top-bar.tsx';

const columns: readonly { title: MessageKey; links: readonly [string, MessageKey][] }[] = [
  {
    title: 'landing.footer.product',
    links: [
      ['#features', 'landing.nav.features'],
      ['#pricing', 'landing.nav.pricing'],
      ['#testimonials', 'landing.nav.testimonials'],
      ['#contact', 'landing.nav.contact'],
    ],
  },
  {
    title: 'landing.footer.account',
    links: [
      [paths.login, 'landing.signIn'],
      [paths.register, 'landing.footer.register'],
    ],
  },
];

export function LandingFooter() {
  return (
    <footer className="border-t border-border bg-surface text-base">
      <div className="mx-auto grid max-w-6xl gap-10 px-4 py-12 sm:grid-cols-[2fr_1fr_1fr] sm:px-6">
        <div>
          <Brand />
          <p className="mt-4 max-w-xs text-muted">{t('landing.footer.text')}</p>
          <LanguageSelect id="language" className="mt-3 -ml-2" />
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={t(title)}>
            <p className="font-semibold">{t(title)}</p>
            <ul className="mt-3 flex flex-col gap-1.5">
              {links.map(([href, label]) => (
                <li key={href}>
                  <a href={href} className="inline-block rounded-sm py-0.5 text-muted hover:text-text">
                    {t(label)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <p className="mx-auto max-w-6xl border-t border-border px-4 py-6 text-sm text-muted sm:px-6">
        {t('landing.footer.trademark')}
      </p>
    </footer>
  );
}
