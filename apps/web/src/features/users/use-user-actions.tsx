import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Eye, KeyRound, LogOut, Pencil, Trash2, UserCheck, UserX } from 'lucide-react';
import type { Role } from '@app/domain/auth/permissions';
import { roleAbove, roleBelow } from '@app/domain/users/member-rules';
import { sayOutcome } from '../../shared/actions/say-outcome.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { nameOf, refreshMembers, type User, type UsersSearch } from './users-queries.ts';
import { roleLabel, usersErrorMessage } from './users-words.ts';

type OpenDialog = (dialog: UsersSearch['dialog'], userId: string) => void;

/** What can be done with a person, as the entries of their row's menu; nobody acts on their own place. */
export function useUserMenu(open: OpenDialog): (user: User) => MenuEntry[] {
  const { user: own } = useSession();
  const acts = useUserActions();
  const mayChange = can('users:update');
  const mayDelete = can('users:delete');
  const mayManage = can('users:manage');
  return (user) => {
    const { id, role, status } = user;
    const view = { label: t('users.view'), icon: <Eye aria-hidden />, onSelect: () => open('view', id) };
    if (id === own?.id) return [view];
    const [above, below] = [roleAbove(role), roleBelow(role)];
    const edit = { label: t('users.edit'), icon: <Pencil aria-hidden />, onSelect: () => open('edit', id) };
    const move = (to: Role, isUp: boolean): MenuEntry => ({
      label: t(isUp ? 'users.promote' : 'users.demote', { role: roleLabel(to) }),
      icon: isUp ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />,
      onSelect: () => void acts.setRole(user, to, isUp),
    });
    const activate = {
      label: t('users.activate'),
      icon: <UserCheck aria-hidden />,
      onSelect: () => void acts.activate(user),
    };
    const active: MenuEntry[] = [
      edit,
      ...(above ? [move(above, true)] : []),
      ...(below ? [move(below, false)] : []),
      {
        label: t('users.endSessions'),
        icon: <LogOut aria-hidden />,
        onSelect: () => void acts.endSessions({ userId: id, name: nameOf(user) }),
      },
      ...(mayManage
        ? [
            {
              label: t('users.factors.menu'),
              icon: <KeyRound aria-hidden />,
              onSelect: () => open('factors', id),
            },
          ]
        : []),
      {
        label: t('users.deactivate'),
        icon: <UserX aria-hidden />,
        danger: true,
        onSelect: () => open('deactivate', id),
      },
    ];
    const ofStatus = { active, inactive: [edit, activate], waiting: [activate] }[status];
    return [
      view,
      ...(mayChange ? ofStatus : []),
      ...(mayDelete
        ? [
            {
              label: t('common.delete'),
              icon: <Trash2 aria-hidden />,
              danger: true,
              onSelect: () => open('delete', id),
            },
          ]
        : []),
    ];
  };
}

/** Those that a question or no question at all stands before. Each says what it came to. */
export function useUserActions() {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const update = useAction(orpc.users.update.mutationOptions());
  const activate = useAction(orpc.users.activate.mutationOptions());
  const endAll = useAction(orpc.sessions.endAllOf.mutationOptions());

  /** Says how it went and reads everything anew. */
  const run = (work: () => Promise<string>) =>
    sayOutcome(work, { errorMessage: usersErrorMessage, refresh: () => refreshMembers(queryClient) });

  return {
    run,
    async setRole(user: User, role: Role, isUp: boolean): Promise<void> {
      const name = nameOf(user);
      await confirm({
        title: t('users.promoteQuestion', { name, role: roleLabel(role) }),
        text: t(isUp ? 'users.promoteText' : 'users.demoteText'),
        confirmLabel: t(isUp ? 'users.promote' : 'users.demote', { role: roleLabel(role) }),
        danger: !isUp,
        work: () =>
          run(async () => {
            await update.mutateAsync({ userId: user.id, version: user.version, role });
            return t('users.roleChanged', { name, role: roleLabel(role) });
          }),
      });
    },
    activate: (user: User, role?: Role) =>
      run(async () => {
        await activate.mutateAsync({ userId: user.id, ...(role && { role }) });
        return t(user.status === 'waiting' ? 'users.waiting.approved' : 'users.activated', {
          name: nameOf(user),
        });
      }),
    async endSessions({ userId, name }: { userId: string; name: string }): Promise<void> {
      await confirm({
        title: t('users.sessions.endAllQuestion', { name }),
        text: t('users.sessions.endText'),
        confirmLabel: t('users.endSessions'),
        work: () =>
          run(async () => {
            const { ended } = await endAll.mutateAsync({ userId });
            return t('users.sessions.endedToast', { n: ended });
          }),
      });
    },
  };
}
