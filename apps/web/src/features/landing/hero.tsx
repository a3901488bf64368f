import { Check } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { noteNewcomer } from '../../shared/sign-in/newcomer.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { HeroPicture } from './hero-picture.tsx';

const claims = ['noSetupFees', 'trial', 'cancel'] as const;

export function Hero({ onTalkToSales }: { onTalkToSales: () => void }) {
  return (
    <section className="relative isolate">
      <div
        aria-hidden
        className="absolute inset-x-0 top-0 -z-10 h-full bg-[radial-gradient(50rem_30rem_at_80%_0%,var(--primary-soft),transparent_70%)]"
      />
      <div className="mx-auto grid max-w-6xl items-center gap-12 px-4 pt-14 pb-16 sm:px-6 lg:grid-cols-[1.1fr_1fr] lg:pt-24 lg:pb-24">
        <div className="min-w-0">
          <p className="inline-flex rounded-full border border-border bg-raised px-3 py-0.5 text-sm font-medium text-primary-text">
            {t('landing.hero.kicker')}
          </p>
          <h1 className="mt-5 text-[clamp(2.25rem,6vw,3.75rem)] leading-[1.06] font-semibold tracking-[-0.03em] text-balance">
            {t('landing.hero.title')}
          </h1>
          <p className="mt-5 max-w-xl text-[1.125rem] leading-8 text-pretty text-muted">
            {t('landing.hero.text')}
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <LinkButton href={paths.dashboard} onClick={noteNewcomer} variant="primary" size="large">
              {t('landing.startTrial')}
            </LinkButton>
            <Button size="large" onClick={onTalkToSales}>
              {t('landing.talkToSales')}
            </Button>
          </div>
          <ul className="mt-7 flex flex-wrap gap-x-6 gap-y-2 text-base text-muted">
            {claims.map((claim) => (
              <li key={claim} className="flex items-center gap-2">
                <Check aria-hidden className="size-4 text-primary-text" />
                {t(`landing.claim.${claim}`)}
              </li>
            ))}
          </ul>
        </div>
        <HeroPicture />
      </div>
    </section>
  );
}
