import { Bell, Building2, Database, MessageSquareText, PlugZap } from 'lucide-react';
import { Suspense } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { t, type MessageKey } from '../../shared/messages.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { lazyPart } from '../../ui/load-file.ts';
import { PageFrame } from '../../ui/page-frame.tsx';
import { SideTabs } from './side-tabs.tsx';
import { Skeleton } from '../../ui/states.tsx';

type SettingsTab = { value: string; label: MessageKey; icon: ReactNode; Content: ComponentType };

const general: SettingsTab = {
  value: 'general',
  label: 'settings.tab.general',
  icon: <Building2 />,
  Content: lazyPart(async () => (await import('./general-tab.tsx')).GeneralTab),
};
/** In the order of the specification. One that loads late stands in `lazyPart`. */
const tabs: readonly SettingsTab[] = [
  general,
  {
    value: 'api',
    label: 'settings.tab.api',
    icon: <PlugZap />,
    Content: lazyPart(async () => (await import('../connection/connection-tab.tsx')).ConnectionTab),
  },
  {
    value: 'messaging',
    label: 'settings.tab.messaging',
    icon: <MessageSquareText />,
    Content: lazyPart(async () => (await import('./messaging-tab.tsx')).MessagingTab),
  },
  {
    value: 'notifications',
    label: 'settings.tab.notifications',
    icon: <Bell />,
    Content: lazyPart(async () => (await import('../notifications/notifications-tab.tsx')).NotificationsTab),
  },
  {
    value: 'data',
    label: 'settings.tab.data',
    icon: <Database />,
    Content: lazyPart(async () => (await import('../data-management/data-tab.tsx')).DataTab),
  },
];

/** How the workspace is set up: one tab for each part, which are saved by themselves. */
export function SettingsPage() {
  const [{ tab: asked }, setState] = useUrlState(({ tab }) => ({
    tab: tabs.find(({ value }) => value === tab)?.value,
  }));
  const shown = tabs.find(({ value }) => value === asked) ?? general;
  return (
    <PageFrame title={t('settings.title')} purpose={t('settings.purpose')}>
      <SideTabs
        label={t('settings.title')}
        value={shown.value}
        onChange={(tab) => {
          if (tab !== asked) setState({ tab }, { push: true });
        }}
        tabs={tabs.map(({ value, label, icon }) => ({ value, icon, label: t(label) }))}
        isOpen={asked !== undefined}
        onList={() => setState({ tab: undefined }, { push: true })}
        backLabel={t('settings.title')}
      >
        <Suspense fallback={<Skeleton className="h-24" />}>
          <shown.Content key={shown.value} />
        </Suspense>
      </SideTabs>
    </PageFrame>
  );
}
