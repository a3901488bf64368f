import { BarChart3, MessageSquareMore, MessagesSquare, Plug, Users, Workflow } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { LandingSection } from './landing-section.tsx';

const features = [
  { name: 'messaging', icon: <MessagesSquare /> },
  { name: 'contacts', icon: <Users /> },
  { name: 'automation', icon: <Workflow /> },
  { name: 'analytics', icon: <BarChart3 /> },
  { name: 'integrations', icon: <Plug /> },
  { name: 'rcs', icon: <MessageSquareMore /> },
] as const;

export function FeatureSection() {
  return (
    <LandingSection id="features" title={t('landing.features.title')} text={t('landing.features.text')}>
      <ul className="grid gap-px overflow-hidden rounded-2xl border border-border bg-border sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ name, icon }) => (
          <li key={name} className="bg-raised p-6 sm:p-7">
            <span
              aria-hidden
              className="grid size-11 place-items-center rounded-xl bg-primary-soft text-primary-text [&_svg]:size-5"
            >
              {icon}
            </span>
            <h3 className="mt-5 font-semibold">{t(`landing.feature.${name}`)}</h3>
            <p className="mt-1.5 text-base leading-6 text-pretty text-muted">
              {t(`landing.feature.${name}Text`)}
            </p>
          </li>
        ))}
      </ul>
    </LandingSection>
  );
}
