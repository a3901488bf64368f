import { formatCompact, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';

/** What the product is built and measured for. */
const stats = [
  { name: 'contacts', value: 1_000_000 },
  { name: 'rate', value: 80 },
  { name: 'takeBack', value: 5 },
  { name: 'languages', value: 5 },
] as const;

export function StatsStrip() {
  return (
    <section aria-label={t('landing.stats')} className="border-y border-border bg-surface">
      <dl className="mx-auto grid max-w-6xl grid-cols-2 gap-x-6 gap-y-8 px-4 py-10 sm:px-6 md:grid-cols-4">
        {stats.map(({ name, value }) => (
          <div key={name} className="flex flex-col-reverse justify-end">
            <dt className="mt-1 max-w-44 text-base leading-5 text-muted">{t(`landing.stats.${name}`)}</dt>
            <dd className="text-[2.25rem] leading-10 font-semibold tracking-tight tabular-nums">
              {value < 1_000 ? formatNumber(value) : formatCompact(value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
