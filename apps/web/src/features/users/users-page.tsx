import { Suspense } from 'react';
import { ActivityFeed } from '../../shared/activity/activity-feed.tsx';
import type { FeatureVisit } from '../../shared/feature.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { loadMessages, t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { useLoadAhead } from '../../shared/use-load-ahead.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { PageFrame } from '../../ui/page-frame.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AddUserButton } from './add-user-button.tsx';
import { UsersTab } from './users-tab.tsx';
import { listOptions, peopleKeys, readUsersSearch, summaryOptions, userTabs } from './users-queries.ts';

const loadDialogs = async () => (await import('./users-dialogs.tsx')).UsersDialogs;
const dialogs = [loadDialogs];
const UsersDialogs = lazyDialog(loadDialogs, ({ onChange }) => onChange('', ''));
const TeamsTab = lazyPart(async () => (await import('../teams/teams-tab.tsx')).TeamsTab);
const SessionsTab = lazyPart(async () => (await import('./sessions-tab.tsx')).SessionsTab);
const PermissionsTab = lazyPart(async () => (await import('./permissions-tab.tsx')).PermissionsTab);

const panels = {
  users: UsersTab,
  teams: TeamsTab,
  activity: ActivityFeed,
  sessions: SessionsTab,
  permissions: PermissionsTab,
};

/** What the tab that is about to open shows first. */
export async function prefetchUsers({ queryClient, search }: FeatureVisit): Promise<void> {
  const wanted = readUsersSearch(search);
  if (wanted.tab === 'activity') await loadMessages('activity-facts');
  if (wanted.tab !== 'users') return;
  await Promise.all([
    queryClient.prefetchQuery(summaryOptions),
    queryClient.prefetchInfiniteQuery(listOptions(wanted)),
  ]);
}

/** User Management: who works here, in which teams, what they did, where they are signed in and what they may do. */
export function UsersPage() {
  useLiveQuery(['users', 'presence'], peopleKeys());
  const [url, setUrl] = useUrlState(readUsersSearch);
  // What the signed-in person may do can change while the page is open.
  useSession();
  useLoadAhead(dialogs);
  const Panel = panels[url.tab];
  return (
    <PageFrame
      title={t('users.title')}
      purpose={t('users.purpose')}
      actions={
        can('users:create') ? (
          <AddUserButton onOpen={() => setUrl({ dialog: 'new' }, { push: true })} />
        ) : undefined
      }
    >
      <Tabs
        label={t('users.tabs')}
        value={url.tab}
        // Filters belong to their tab.
        onChange={(tab) =>
          setUrl({
            tab: tab === 'users' ? undefined : tab,
            ...{ search: undefined, role: undefined, status: undefined, sort: undefined },
            ...{ type: undefined, person: undefined },
          })
        }
        tabs={userTabs.map((value) => ({ value, label: t(`users.tab.${value}`) }))}
      >
        <Suspense>
          <Panel />
        </Suspense>
      </Tabs>
      {url.dialog === '' ? null : (
        <Suspense>
          <UsersDialogs
            dialog={url.dialog}
            userId={url.user}
            onChange={(dialog, user) => setUrl({ dialog: dialog || undefined, user: user || undefined })}
          />
        </Suspense>
      )}
    </PageFrame>
  );
}
