import { Menu, MessageCircle } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { LanguageSelect } from '../../shared/sign-in/language-select.tsx';
import { paths } from '../../shared/paths.ts';
import { noteNewcomer } from '../../shared/sign-in/newcomer.ts';
import { LinkButton } from '../../ui/button.tsx';

const anchors = ['features', 'pricing', 'testimonials', 'contact'] as const;

export function TopBar() {
  return (
    <header className="sticky top-0 layer-bar border-b border-border bg-raised/85 backdrop-blur-md">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 sm:px-6">
        <Brand />
        <nav aria-label={t('landing.nav')} className="ml-6 hidden flex-1 gap-1 md:flex">
          <AnchorLinks className="rounded-card px-3 py-1.5 text-base font-medium text-muted transition-colors hover:bg-hover hover:text-text" />
        </nav>
        <span className="flex-1 md:hidden" />
        <div className="hidden md:block">
          <LanguageSelect id="language-top" />
        </div>
        <LinkButton href={paths.dashboard} variant="ghost" className="max-[400px]:hidden">
          {t('landing.signIn')}
        </LinkButton>
        <LinkButton href={paths.dashboard} onClick={noteNewcomer} variant="primary">
          {t('landing.getStarted')}
        </LinkButton>
        <SmallScreenMenu />
      </div>
    </header>
  );
}

export function Brand() {
  return (
    <a href={paths.landing} className="flex items-center gap-2.5 rounded-md text-base">
      <span aria-hidden className="grid size-9 place-items-center rounded-card bg-primary text-on-primary">
        <MessageCircle className="size-5" />
      </span>
      <span>
        <span className="block leading-5 font-semibold">{t('common.brand')}</span>
        <span className="block text-sm leading-4 text-muted">{t('common.brandSubtitle')}</span>
      </span>
    </a>
  );
}

/** A native disclosure: it opens without script, and closes when a link in it is followed. */
function SmallScreenMenu() {
  return (
    <details className="relative md:hidden">
      <summary
        aria-label={t('landing.menu')}
        className="grid size-9 list-none place-items-center rounded-card hover:bg-hover [&::-webkit-details-marker]:hidden"
      >
        <Menu aria-hidden className="size-5" />
      </summary>
      <nav
        aria-label={t('landing.nav')}
        className="absolute top-12 right-0 grid w-56 rounded-card border border-border bg-raised p-1.5 text-base shadow-raised"
      >
        <AnchorLinks
          className="rounded-md px-3 py-2 hover:bg-hover"
          onFollow={(link) => link.closest('details')?.removeAttribute('open')}
        />
        <a
          href={paths.dashboard}
          className="mt-1 rounded-md border-t border-border px-3 py-2 font-medium hover:bg-hover"
        >
          {t('landing.signIn')}
        </a>
      </nav>
    </details>
  );
}

function AnchorLinks({
  className,
  onFollow,
}: {
  className: string;
  onFollow?: (link: HTMLAnchorElement) => void;
}) {
  return anchors.map((anchor) => (
    <a
      key={anchor}
      href={`#${anchor}`}
      className={className}
      onClick={(event) => onFollow?.(event.currentTarget)}
    >
      {t(`landing.nav.${anchor}`)}
    </a>
  ));
}
