import { Check } from 'lucide-react';
import { useState } from 'react';
import { plans } from '@app/domain/landing/plans';
import type { Currency, Plan, PlanId } from '@app/domain/landing/plans';
import { activeLocale, t } from '../../shared/messages.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { noteNewcomer } from '../../shared/sign-in/newcomer.ts';
import { LinkButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LandingSection } from './landing-section.tsx';

const currencies = ['USD', 'INR'] as const;

const extras: Record<PlanId, readonly MessageKey[]> = {
  starter: ['landing.plan.inbox', 'landing.plan.basicReports'],
  professional: ['landing.plan.segments', 'landing.plan.budget', 'landing.plan.api'],
  enterprise: ['landing.plan.everything', 'landing.plan.roles', 'landing.plan.support'],
};

export function PricingSection() {
  const [currency, setCurrency] = useState<Currency>('USD');
  return (
    <LandingSection id="pricing" title={t('landing.pricing.title')} text={t('landing.pricing.text')}>
      <CurrencyChoice value={currency} onChange={setCurrency} />
      <ul className="mt-8 grid items-stretch gap-5 lg:grid-cols-3">
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} currency={currency} />
        ))}
      </ul>
      <p className="mt-6 text-base text-muted">{t('landing.pricing.note')}</p>
    </LandingSection>
  );
}

function CurrencyChoice({ value, onChange }: { value: Currency; onChange: (currency: Currency) => void }) {
  return (
    <fieldset className="inline-flex rounded-card border border-border bg-surface p-1 text-base">
      <legend className="sr-only">{t('landing.pricing.currency')}</legend>
      {currencies.map((currency) => (
        <label
          key={currency}
          className="cursor-pointer rounded-md px-4 py-1 font-medium text-muted transition-colors has-checked:bg-raised has-checked:text-text has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-(--ring)"
        >
          <input
            type="radio"
            name="currency"
            value={currency}
            checked={value === currency}
            onChange={() => onChange(currency)}
            className="sr-only"
          />
          {currency}
        </label>
      ))}
    </fieldset>
  );
}

function PlanCard({ plan, currency }: { plan: Plan; currency: Currency }) {
  const lines = [
    plan.messages === null
      ? t('landing.plan.unlimitedMessages')
      : t('landing.plan.messages', { n: plan.messages }),
    plan.contacts === null
      ? t('landing.plan.unlimitedContacts')
      : t('landing.plan.contacts', { n: plan.contacts }),
    ...extras[plan.id].map((key) => t(key)),
  ];
  return (
    <li
      className={classNames(
        'relative flex flex-col rounded-2xl border bg-raised p-6 sm:p-7',
        plan.isMostPopular ? 'border-primary shadow-raised' : 'border-border',
      )}
    >
      {plan.isMostPopular ? (
        <span className="absolute -top-3 left-6 rounded-full bg-primary px-3 py-0.5 text-sm font-medium text-on-primary">
          {t('landing.pricing.popular')}
        </span>
      ) : null}
      <h3 className="font-semibold">{t(`landing.plan.${plan.id}`)}</h3>
      <p className="mt-1 text-base leading-5 text-pretty text-muted">{t(`landing.plan.${plan.id}Text`)}</p>
      <p className="mt-5 flex items-baseline gap-2">
        <span className="text-[2.5rem] leading-none font-semibold tracking-tight tabular-nums">
          {formatPrice(plan.price[currency], currency)}
        </span>
        <span className="text-base text-muted">{t('landing.pricing.month')}</span>
      </p>
      <ul className="mt-6 flex flex-1 flex-col gap-2.5 text-base">
        {lines.map((line) => (
          <li key={line} className="flex items-start gap-2.5">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-primary-text" />
            {line}
          </li>
        ))}
      </ul>
      <LinkButton
        href={paths.dashboard}
        onClick={noteNewcomer}
        variant={plan.isMostPopular ? 'primary' : 'secondary'}
        size="large"
        className="mt-7 w-full"
      >
        {t('landing.startTrial')}
      </LinkButton>
    </li>
  );
}

/** Whole units: a price list without cents. */
function formatPrice(amount: number, currency: Currency): string {
  const format = new Intl.NumberFormat(activeLocale(), {
    style: 'currency',
    currency,
    maximumFractionDigits: 0,
  });
  return format.format(amount);
}
