import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { FormState } from '../../shared/actions/form-state.tsx';
import { loadMessages, t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { readOneOf, useUrlState } from '../../shared/url-state.ts';
import { PageFrame } from '../../ui/page-frame.tsx';
import { Banner, EmptyState, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { PreferencesTab } from './preferences-tab.tsx';
import { ProfileHeader } from './profile-header.tsx';
import { profileOptions } from './profile-queries.ts';
import { ProfileTab } from './profile-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

const ApiKeysTab = lazyPart(async () => (await import('../api-keys/api-keys-tab.tsx')).ApiKeysTab);

const NotificationsTab = lazyPart(
  async () => (await import('../notifications/notifications-tab.tsx')).NotificationsTab,
);

const LeavePanel = lazyPart(async () => {
  await loadMessages('workspaces');
  return (await import('../../shared/workspaces/leave-panel.tsx')).LeavePanel;
});

const tabs = ['profile', 'preferences', 'notifications', 'security', 'sessions', 'apiKeys'] as const;

/** What somebody is and sets for themself. */
export function ProfilePage() {
  const session = useSession();
  const [{ tab: asked }, setState] = useUrlState((search) => ({ tab: readOneOf(search, 'tab', tabs) }));
  const { data: profile, error, refetch } = useQuery(profileOptions());
  if (session.status !== 'signed-in')
    return (
      <PageFrame title={t('profile.title')}>
        <EmptyState title={t('profile.notAuthenticated')} text={t('profile.notAuthenticatedText')} />
      </PageFrame>
    );
  const isForSetUp = session.user.mustSetUpTwoFactor;
  const tab = isForSetUp ? 'security' : asked;
  return (
    <PageFrame title={t('profile.title')} purpose={t('profile.purpose')}>
      {isForSetUp ? <Banner tone="warning">{t('profile.twoFactor.required')}</Banner> : null}
      {profile === undefined ? (
        <FormState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <ProfileHeader profile={profile} />
          <Tabs
            label={t('profile.title')}
            value={tab}
            onChange={(next) => setState({ tab: next === 'profile' ? undefined : next }, { push: true })}
            tabs={(isForSetUp ? (['security'] as const) : tabs).map((value) => ({
              value,
              label: t(`profile.tab.${value}`),
            }))}
          >
            {tab === 'profile' ? (
              <div className="flex flex-col gap-4">
                <ProfileTab profile={profile} />
                <Suspense fallback={<Skeleton className="h-24" />}>
                  <LeavePanel />
                </Suspense>
              </div>
            ) : null}
            {tab === 'preferences' ? <PreferencesTab profile={profile} /> : null}
            {tab === 'notifications' ? (
              <Suspense fallback={<Skeleton className="h-24" />}>
                <NotificationsTab />
              </Suspense>
            ) : null}
            {tab === 'security' ? <SecurityTab profile={profile} /> : null}
            {tab === 'sessions' ? <SessionsTab /> : null}
            {tab === 'apiKeys' ? (
              <Suspense fallback={<Skeleton className="h-24" />}>
                <ApiKeysTab />
              </Suspense>
            ) : null}
          </Tabs>
        </>
      )}
    </PageFrame>
  );
}
