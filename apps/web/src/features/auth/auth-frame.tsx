import { CheckCheck, CircleAlert, MessageCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../shared/messages.ts';
import { usePageTitle, withBrand } from '../../shared/page-title.ts';
import { paths } from '../../shared/paths.ts';
import { LanguageSelect } from '../../shared/sign-in/language-select.tsx';
import { loadDashboardAhead } from './load-dashboard-ahead.ts';

/** The frame of every page for people who are not signed in: the form, and on wide screens what awaits them. */
export function AuthFrame({
  title,
  purpose,
  children,
  footer,
  extra,
}: {
  title: string;
  purpose?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** Something that arrives later: it stands last, so that nothing moves. */
  extra?: ReactNode;
}) {
  usePageTitle(withBrand(title));
  return (
    <div className="grid min-h-dvh bg-raised lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <main onInput={loadDashboardAhead} className="flex min-w-0 flex-col px-5 py-6 sm:px-10">
        <div className="flex items-start justify-between gap-3">
          <a href={paths.landing} className="flex items-center gap-2.5 rounded-md">
            <span
              aria-hidden
              className="grid size-9 place-items-center rounded-card bg-primary text-on-primary"
            >
              <MessageCircle className="size-5" />
            </span>
            <span>
              <span className="block leading-5 font-semibold">{t('common.brand')}</span>
              <span className="block text-sm leading-4 text-muted">{t('common.brandSubtitle')}</span>
            </span>
          </a>
          <LanguageSelect id="language" />
        </div>
        <div className="mx-auto flex w-full max-w-sm flex-1 flex-col pt-[clamp(1.5rem,13dvh,9rem)] pb-8">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {purpose ? <p className="mt-1.5 text-muted">{purpose}</p> : null}
          <div className="mt-6">{children}</div>
          {footer ? <p className="mt-6 text-center text-muted">{footer}</p> : null}
          {extra}
        </div>
      </main>
      <Panel />
    </div>
  );
}

export function FormFailure({ children }: { children: string | undefined }) {
  return (
    <div role="alert" className="empty:hidden">
      {children ? (
        <p className="mb-4 flex items-start gap-2 rounded-card bg-danger-soft px-3.5 py-2.5 text-danger">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{children}</span>
        </p>
      ) : null}
    </div>
  );
}

export const textLink = 'rounded-sm font-medium text-primary-text underline-offset-4 hover:underline';

function Panel() {
  return (
    <aside className="relative hidden overflow-hidden bg-[#06352d] text-white lg:grid lg:place-items-center">
      <div
        aria-hidden
        className="absolute inset-0 bg-[radial-gradient(60%_50%_at_75%_15%,#0f7a64_0%,transparent_70%),radial-gradient(55%_55%_at_10%_95%,#0a5a63_0%,transparent_70%)]"
      />
      <div className="relative w-full max-w-md px-8">
        <Conversation />
        <p className="mt-10 text-2xl leading-8 font-semibold tracking-tight text-balance">
          {t('auth.panel.title')}
        </p>
        <p className="mt-2 text-lg text-[#bfe3da]">{t('auth.panel.text')}</p>
      </div>
    </aside>
  );
}

/** A drawing of the product, not a control: nothing of it is read aloud. */
function Conversation() {
  return (
    <div aria-hidden className="rounded-2xl border border-white/12 bg-white/8 p-5 backdrop-blur-sm">
      <div className="flex flex-col gap-2.5">
        <p className="max-w-[80%] self-start rounded-xl rounded-tl-sm bg-white px-3.5 py-2 text-[#12191c]">
          {t('auth.panel.received')}
        </p>
        <div className="max-w-[85%] self-end">
          <p className="rounded-xl rounded-tr-sm bg-[#d9fdd3] px-3.5 py-2 text-[#12191c]">
            {t('auth.panel.sent')}
            <CheckCheck className="ml-1.5 inline size-4 text-[#1a7fc0]" />
          </p>
          <p className="mt-1.5 rounded-xl bg-white px-3.5 py-2 text-center font-medium text-[#00688f]">
            {t('auth.panel.quickReply')}
          </p>
        </div>
      </div>
      <div className="mt-5 rounded-xl bg-[#04251f]/70 p-4">
        <p className="text-sm font-medium text-[#bfe3da]">{t('auth.panel.campaign')}</p>
        <Meter label={t('auth.panel.delivered')} className="w-[90%] bg-[#3bd0ae]" />
        <Meter label={t('auth.panel.read')} className="w-[63%] bg-[#9be7d3]" />
      </div>
    </div>
  );
}

function Meter({ label, className }: { label: string; className: string }) {
  return (
    <div className="mt-2.5 grid grid-cols-[5rem_1fr] items-center gap-3 text-sm">
      <span className="text-[#e3f4f0]">{label}</span>
      <span className="h-2 overflow-hidden rounded-full bg-white/12">
        <span className={`block h-full rounded-full ${className}`} />
      </span>
    </div>
  );
}
