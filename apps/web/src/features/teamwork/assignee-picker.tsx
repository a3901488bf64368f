import { useQuery } from '@tanstack/react-query';
import { UserRound, UserRoundX, UsersRound } from 'lucide-react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { PickList, type Pick } from './pick-list.tsx';
import { Picker, type PickerState } from './picker.tsx';
import { assigneesOptions, type Assignees } from './teamwork-queries.ts';
import type { useConversationActions } from './use-conversation-actions.ts';

type Props = PickerState & {
  conversation: Conversation;
  acts: ReturnType<typeof useConversationActions>;
  onAssignToMe: () => void;
};

/** Who has the conversation, and who else could have it. */
export function AssigneePicker({ conversation, acts, onAssignToMe, isOpen, setOpen }: Props) {
  const { assignee, team } = conversation;
  const name = assignee?.name ?? team?.name;
  const label = name === undefined ? t('teamwork.assign') : t('teamwork.assignedTo', { name });
  return (
    <Picker
      isOpen={isOpen}
      setOpen={setOpen}
      title={t('teamwork.assign')}
      trigger={
        <Button
          variant="ghost"
          title={label}
          className="max-w-44 @max-4xl:aspect-square @max-4xl:px-0"
          icon={
            assignee ? (
              <Avatar name={assignee.name} image={assignee.avatar} size="small" />
            ) : team ? (
              <UsersRound aria-hidden />
            ) : (
              <UserRound aria-hidden />
            )
          }
        >
          {/* Initials are no part of the name, and what is seen has to be. */}
          <span className="sr-only">{label}</span>
          <span aria-hidden dir="auto" className="truncate @max-4xl:hidden">
            {name ?? t('teamwork.assign')}
          </span>
        </Button>
      }
    >
      <Choice
        conversation={conversation}
        acts={acts}
        onAssignToMe={onAssignToMe}
        onClose={() => setOpen(false)}
      />
    </Picker>
  );
}

const TO_ME = 'me';
const NOBODY = 'nobody';

function Choice({
  conversation,
  acts,
  onAssignToMe,
  onClose,
}: Omit<Props, 'isOpen' | 'setOpen'> & { onClose: () => void }) {
  const session = useSession();
  const ownId = session.status === 'signed-in' ? session.user.id : undefined;
  const { data, isError } = useQuery(assigneesOptions());
  const { assignee, team } = conversation;

  function choose({ id }: Pick) {
    onClose();
    if (id === TO_ME) return onAssignToMe();
    if (id === NOBODY) return void acts.assign(null, null, t('teamwork.unassigned'));
    const person = data?.people.find((one) => one.id === id);
    if (person) return void acts.assign(person, team, t('teamwork.assignedToast', { name: person.name }));
    const chosen = data?.teams.find((one) => one.id === id);
    if (chosen) void acts.assign(null, chosen, t('teamwork.assignedToast', { name: chosen.name }));
  }

  return (
    <PickList
      label={t('teamwork.assignSearch')}
      emptyText={isError ? t('teamwork.notLoaded') : t('teamwork.nobodyFound')}
      picks={isError ? [] : data && picksOf(data, { ownId, assignee, team })}
      onPick={choose}
    />
  );
}

function picksOf(
  { people, teams }: Assignees,
  {
    ownId,
    assignee,
    team,
  }: { ownId: string | undefined; assignee: Conversation['assignee']; team: Conversation['team'] },
): Pick[] {
  return [
    ...(assignee?.id === ownId || !people.some(({ id }) => id === ownId)
      ? []
      : [
          {
            id: TO_ME,
            name: t('teamwork.assignToMe'),
            icon: <UserRound aria-hidden className="size-4 w-6" />,
          },
        ]),
    ...(assignee || team
      ? [
          {
            id: NOBODY,
            name: t('teamwork.toNobody'),
            icon: <UserRoundX aria-hidden className="size-4 w-6" />,
          },
        ]
      : []),
    ...people
      .toSorted((one, other) => Number(other.isOnline) - Number(one.isOnline))
      .map((person) => ({
        id: person.id,
        name: person.name,
        isChosen: person.id === assignee?.id,
        hint: `${stateOf(person)} · ${t('teamwork.openChats', { n: person.open })}`,
        icon: (
          <span className="relative">
            <Avatar name={person.name} image={person.avatar} size="small" />
            <span
              aria-hidden
              className={classNames(
                'absolute -right-0.5 -bottom-0.5 size-2.5 rounded-full border-2 border-raised',
                person.isOnline && person.isAvailable ? 'bg-success' : 'bg-control',
              )}
            />
          </span>
        ),
      })),
    ...teams.map((one) => ({
      id: one.id,
      name: one.name,
      isChosen: assignee === null && one.id === team?.id,
      hint: t('teamwork.teamOf', { n: one.memberCount }),
      icon: <UsersRound aria-hidden className="size-4 w-6" />,
    })),
  ];
}

function stateOf({ isOnline, isAvailable }: Assignees['people'][number]): string {
  if (!isOnline) return t('teamwork.offline');
  return t(isAvailable ? 'teamwork.online' : 'teamwork.away');
}
