import { BarChart3, MessageSquareMore, MessagesSquare, Plug, Users, Workflow } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { LandingSection } from './landing-section.tsx';

/** A part that is not whole yet says what of it works today. */
const features = [
  { name: 'messaging', icon: <MessagesSquare />, isSoon: false },
  { name: 'contacts', icon: <Users />, isSoon: false },
  { name: 'automation', icon: <Workflow />, isSoon: false },
  { name: 'analytics', icon: <BarChart3 />, isSoon: false },
  { name: 'integrations', icon: <Plug />, isSoon: true },
  { name: 'rcs', icon: <MessageSquareMore />, isSoon: false },
] as const;

export function FeatureSection() {
  return (
    <LandingSection id="features" title={t('landing.features.title')} text={t('landing.features.text')}>
      <ul className="grid gap-px overflow-hidden rounded-2xl border border-border bg-border sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ name, icon, isSoon }) => (
          <li key={name} className="bg-raised p-6 sm:p-7">
            <span
              aria-hidden
              className="grid size-11 place-items-center rounded-xl bg-primary-soft text-primary-text [&_svg]:size-5"
            >
              {icon}
            </span>
            <div className="mt-5 flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <h3 className="font-semibold">{t(`landing.feature.${name}`)}</h3>
              {isSoon ? (
                <span className="rounded-full border border-border px-2 text-xs leading-5 font-medium text-muted">
                  {t('landing.feature.soon')}
                </span>
              ) : null}
            </div>
            <p className="mt-1.5 text-base leading-6 text-pretty text-muted">
              {t(`landing.feature.${name}Text`)}
            </p>
          </li>
        ))}
      </ul>
    </LandingSection>
  );
}
