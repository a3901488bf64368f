import { Plus, Settings, UsersRound } from 'lucide-react';
import { Suspense } from 'react';
import { formatDate } from '../../shared/formats.ts';
import { orpc } from '../../shared/api.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t } from '../../shared/messages.ts';
import { holdsText } from '../../shared/offline/kept-rows.ts';
import { can } from '../../shared/session.ts';
import { AvatarGroup } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { Card } from '../../ui/page-frame.tsx';
import { CardList } from '../../ui/table/card-list.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { listOptions, readTeamsSearch, teamsErrorMessage, type Team } from './teams-queries.ts';

const TeamDialog = lazyDialog(async () => (await import('./team-dialog.tsx')).TeamDialog);
const TeamForm = lazyDialog(async () => (await import('./team-form.tsx')).TeamFormDialog);

/** The teams of the workspace as cards. */
export function TeamsTab() {
  const teams = useListPage({
    read: readTeamsSearch,
    filters: [],
    options: listOptions,
    find: (kept: readonly Team[], { search }) =>
      kept.filter(({ name, description }) => holdsText([name, description], search)),
    errorMessage: teamsErrorMessage,
  });
  useLiveQuery(['teams', 'users'], [orpc.teams.key()]);
  const { url, setUrl } = teams;
  const open = (teamDialog: 'new' | 'view' | 'settings', team?: string) =>
    setUrl({ teamDialog, team }, { push: true });
  const close = () => setUrl({ teamDialog: undefined, team: undefined });
  const newTeam = can('users:update') ? (
    <Button icon={<Plus aria-hidden />} onClick={() => open('new')}>
      {t('teams.new')}
    </Button>
  ) : undefined;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          {...teams.searchField}
          placeholder={t('teams.search')}
          className="min-w-44 flex-1 sm:max-w-md"
        />
        {newTeam}
      </div>
      <CardList
        {...teams.shown}
        label={t('users.tab.teams')}
        moreLabel={t('teams.more')}
        empty={
          <NoRows
            list={teams}
            title={t('teams.empty')}
            noMatch={t('teams.noMatch')}
            clearLabel={t('teams.clear')}
            text={t(newTeam ? 'teams.emptyText' : 'teams.emptyReadOnly')}
            icon={<UsersRound />}
            action={newTeam}
          />
        }
      >
        {(team) => (
          <TeamCard
            key={team.id}
            team={team}
            onView={() => open('view', team.id)}
            onSettings={() => open('settings', team.id)}
          />
        )}
      </CardList>
      <Suspense>
        {url.teamDialog === 'new' && can('users:update') ? <TeamForm onClose={close} /> : null}
        {url.teamDialog === 'settings' && url.team ? (
          <TeamForm key={url.team} teamId={url.team} onClose={close} />
        ) : null}
        {url.teamDialog === 'view' && url.team ? (
          <TeamDialog key={url.team} teamId={url.team} onClose={close} />
        ) : null}
      </Suspense>
    </div>
  );
}

function TeamCard({ team, onView, onSettings }: { team: Team; onView: () => void; onSettings: () => void }) {
  const { name, description, memberCount, waitingCount, settings, people, own, createdAt } = team;
  return (
    <Card
      title={
        <span dir="auto" className="line-clamp-2">
          {name}
        </span>
      }
      badges={
        <>
          <Badge>{t('teams.members', { n: memberCount, most: settings.maxMembers })}</Badge>
          {waitingCount > 0 && own.mayManage ? (
            <Badge tone="warning">{t('teams.waiting', { n: waitingCount })}</Badge>
          ) : null}
        </>
      }
      menu={
        own.mayManage ? (
          <IconButton label={t('teams.settings', { name })} size="small" onClick={onSettings}>
            <Settings aria-hidden />
          </IconButton>
        ) : undefined
      }
      footer={
        <>
          <span className="min-w-0 truncate">{t('teams.created', { date: formatDate(createdAt) })}</span>
          <Button size="small" onClick={onView}>
            {t('teams.view')}
          </Button>
        </>
      }
    >
      {description ? (
        <p dir="auto" className="mb-3 line-clamp-3 text-muted">
          {description}
        </p>
      ) : null}
      {people.length > 0 ? (
        <AvatarGroup
          label={people.map((person) => person.name).join(', ')}
          people={people.map((person) => ({ id: person.id, name: person.name, image: person.avatar }))}
        />
      ) : null}
      {settings.features.length > 0 ? (
        <p className="mt-3 flex flex-wrap gap-1.5">
          {settings.features.map((feature) => (
            <Badge key={feature} tone="primary">
              {feature}
            </Badge>
          ))}
        </p>
      ) : null}
    </Card>
  );
}
