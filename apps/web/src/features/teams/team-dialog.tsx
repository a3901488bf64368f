import { useQuery, useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { TeamRole } from '@app/domain/teams/team-rules';
import { sayOutcome } from '../../shared/actions/say-outcome.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { formatDate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useColleagues } from '../../shared/people/colleagues.ts';
import { useSession } from '../../shared/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Combobox } from '../../ui/controls/combobox.tsx';
import type { SelectOption } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import {
  refreshTeams,
  teamOptions,
  teamsErrorMessage,
  type TeamDetails,
  type TeamMember,
} from './teams-queries.ts';

/** A team with its people. */
export function TeamDialog({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(teamOptions(teamId));
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={data ? <bdi>{data.name}</bdi> : t('teams.view')}
      description={data?.description}
      footer={
        <>
          {data ? <OwnPlace team={data} /> : null}
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      {data ? (
        <Members team={data} />
      ) : error ? (
        <ErrorState text={teamsErrorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRegion className="grid gap-4 py-2">
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} className="h-8" />
          ))}
        </SkeletonRegion>
      )}
    </Dialog>
  );
}

/** Acts on members; each says what it came to and reads the team anew. */
function useMemberActions(teamId: string) {
  const queryClient = useQueryClient();
  const add = useAction(orpc.teams.addMember.mutationOptions());
  const set = useAction(orpc.teams.setMember.mutationOptions());
  const remove = useAction(orpc.teams.removeMember.mutationOptions());
  const run = (work: () => Promise<string>) =>
    sayOutcome(work, { errorMessage: teamsErrorMessage, refresh: () => refreshTeams(queryClient) });
  return {
    isAdding: add.isPending,
    add: (userId: string, name: string) =>
      run(async () => {
        const { members } = await add.mutateAsync({ teamId, userId });
        const isWaiting = members.find((member) => member.userId === userId)?.isWaiting;
        return t(isWaiting ? 'teams.asked' : 'teams.added', { name });
      }),
    set: (userId: string, role: TeamRole, name: string) =>
      run(async () => {
        const { members } = await set.mutateAsync({ teamId, userId, role });
        const isNew = members.some((member) => member.userId === userId && member.role === 'member');
        return isNew ? t('teams.added', { name }) : t('teams.saved');
      }),
    remove: (userId: string, said: string) =>
      run(async () => {
        await remove.mutateAsync({ teamId, userId });
        return said;
      }),
  };
}

/** To join and to leave. */
function OwnPlace({ team }: { team: TeamDetails }) {
  const { user } = useSession();
  const confirm = useConfirm();
  const acts = useMemberActions(team.id);
  if (!user) return null;
  const { role, isWaiting, mayJoin, mayManage } = team.own;
  const name = `${user.firstName} ${user.lastName}`.trim();
  if (isWaiting) return <p className="mr-auto self-center text-muted">{t('teams.youWait')}</p>;
  if (role === null)
    return mayJoin ? (
      <Button className="mr-auto" loading={acts.isAdding} onClick={() => void acts.add(user.id, name)}>
        {t(team.settings.requireApproval && !mayManage ? 'teams.askToJoin' : 'teams.join')}
      </Button>
    ) : null;
  if (role === 'owner') return null;
  return (
    <Button
      variant="danger-ghost"
      className="mr-auto"
      onClick={() =>
        void confirm({
          title: t('teams.leaveQuestion', { name: team.name }),
          confirmLabel: t('teams.leave'),
          work: () => acts.remove(user.id, t('teams.left', { name: team.name })),
        })
      }
    >
      {t('teams.leave')}
    </Button>
  );
}

function Members({ team }: { team: TeamDetails }) {
  return (
    <>
      {team.own.mayAdd ? <AddMember team={team} /> : null}
      <h3 className="mt-2 mb-1 flex items-center gap-2 font-semibold">
        {t('teams.membersLabel')}
        <Badge>{t('teams.members', { n: team.memberCount, most: team.settings.maxMembers })}</Badge>
      </h3>
      {team.members.length === 0 ? (
        <p className="py-4 text-muted">{t('teams.noMembers')}</p>
      ) : (
        <ul aria-label={t('teams.membersLabel')}>
          {team.members.map((member) => (
            <Member key={member.userId} team={team} member={member} />
          ))}
        </ul>
      )}
    </>
  );
}

function AddMember({ team }: { team: TeamDetails }) {
  const [chosen, setChosen] = useState<SelectOption | null>(null);
  const acts = useMemberActions(team.id);
  const inIt = new Set(team.members.map(({ userId }) => userId));
  const colleagues = useColleagues((id) => !inIt.has(id));
  return (
    <div className="mb-4 flex items-end gap-2">
      <Field label={t('teams.add')} className="flex-1">
        <Combobox value={chosen} onChange={setChosen} {...colleagues} placeholder={t('teams.addPerson')} />
      </Field>
      <Button
        icon={<UserPlus aria-hidden />}
        disabled={chosen === null}
        loading={acts.isAdding}
        onClick={() => {
          if (chosen) void acts.add(chosen.value, chosen.label).then(() => setChosen(null));
        }}
      >
        {t('teams.addButton')}
      </Button>
    </div>
  );
}

function Member({ team, member }: { team: TeamDetails; member: TeamMember }) {
  const { user: own } = useSession();
  const acts = useMemberActions(team.id);
  const entries = useMemberEntries(team, member);
  const { name, email, role, isWaiting, isActive, joinedAt, userId } = member;
  return (
    <li className="flex items-center gap-2.5 border-t border-border py-2.5 first:border-t-0">
      <Avatar name={name} image={member.avatar} />
      <span className="min-w-0 flex-1 leading-tight">
        <span className="flex min-w-0 items-center gap-1.5">
          <span dir="auto" className="truncate font-medium">
            {name}
          </span>
          {userId === own?.id ? <Badge>{t('teams.you')}</Badge> : null}
        </span>
        <span className="block truncate text-sm text-muted">
          {email} · {t('teams.joined', { date: formatDate(joinedAt) })}
        </span>
      </span>
      {isWaiting ? (
        <Badge tone="warning">{t('teams.waits')}</Badge>
      ) : (
        <Badge tone={role === 'owner' ? 'primary' : role === 'admin' ? 'info' : 'neutral'}>
          {t(isActive ? `teams.${role}` : 'teams.inactive')}
        </Badge>
      )}
      {isWaiting && team.own.mayManage ? (
        <Button size="small" onClick={() => void acts.set(userId, 'member', name)}>
          {t('teams.approve')}
        </Button>
      ) : null}
      {entries.length > 0 ? (
        <Menu
          trigger={
            <IconButton label={t('teams.actionsFor', { name })} size="small">
              <EllipsisVertical aria-hidden />
            </IconButton>
          }
          entries={entries}
        />
      ) : null}
    </li>
  );
}

function useMemberEntries(team: TeamDetails, { userId, name, role, isWaiting }: TeamMember): MenuEntry[] {
  const acts = useMemberActions(team.id);
  const confirm = useConfirm();
  if (role === 'owner') return [];
  const makeOwner = () =>
    confirm({
      title: t('teams.ownerQuestion', { name, team: team.name }),
      text: t('teams.ownerText'),
      confirmLabel: t('teams.makeOwner'),
      danger: false,
      work: () => acts.set(userId, 'owner', name),
    });
  const ofRole: MenuEntry[] =
    team.own.mayOwn && !isWaiting
      ? [
          role === 'admin'
            ? { label: t('teams.makeMember'), onSelect: () => void acts.set(userId, 'member', name) }
            : { label: t('teams.makeAdmin'), onSelect: () => void acts.set(userId, 'admin', name) },
          { label: t('teams.makeOwner'), onSelect: () => void makeOwner() },
        ]
      : [];
  const removal: MenuEntry[] = team.own.mayManage
    ? [
        {
          label: t('teams.remove'),
          danger: true,
          onSelect: () => void acts.remove(userId, t('teams.removed', { name })),
        },
      ]
    : [];
  return [...ofRole, ...removal];
}
