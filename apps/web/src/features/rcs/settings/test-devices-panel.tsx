import { readInternational } from '@app/domain/contacts/written-number';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import {
  agentErrorMessage,
  inviteErrorMessage,
  isWithoutPermission,
  testDevicesOptions,
  type TestDevice,
} from './agent-queries.ts';

const tones: Record<TestDevice['status'], BadgeTone> = {
  pending: 'info',
  accepted: 'success',
  declined: 'danger',
};

/** Phones that get messages of the agent before its launch. */
export function TestDevicesPanel({ channelId }: { channelId: string }) {
  const { data, error, refetch } = useQuery(testDevicesOptions(channelId));
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const mayChange = can('settings:manage');
  // What phones show of the agent comes from a test device.
  const refresh = () => queryClient.invalidateQueries({ queryKey: orpc.channelAgents.key() });
  const remove = useAction({
    mutationFn: (phone: string) => api.channelAgents.removeTestDevice({ channelId, phone }),
    onSuccess: async (_, phone) => {
      notify.success(t('rcs-agent.removed', { phone }));
      await refresh();
    },
    onError: (failure) => notify.error(agentErrorMessage(failure)),
  });
  async function askToRemove(phone: string) {
    const isSure = await confirm({
      ...{ title: t('rcs-agent.removeTitle'), text: t('rcs-agent.removeText', { phone }) },
      ...{ confirmLabel: t('rcs-agent.removeConfirm'), danger: true },
    });
    if (isSure) remove.mutate(phone);
  }
  // The panel of the agent says the same, with what to do.
  if (error && !data && isWithoutPermission(error)) return null;
  return (
    <Panel title={t('rcs-agent.devices')} purpose={t('rcs-agent.devicesPurpose')}>
      <div className="flex flex-col gap-4">
        {mayChange ? <InviteForm channelId={channelId} onInvited={refresh} /> : null}
        {error && !data ? (
          <ErrorState text={agentErrorMessage(error)} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton className="h-12" />
        ) : data.items.length === 0 ? (
          <p className="text-muted">{t('rcs-agent.devicesNone')}</p>
        ) : (
          <ul aria-label={t('rcs-agent.devices')} className="divide-y divide-border">
            {data.items.map(({ phone, status }) => (
              <li key={phone} className="flex flex-wrap items-center gap-2 py-2">
                <span dir="ltr" className="tabular-nums">
                  {phone}
                </span>
                <Badge tone={tones[status]}>{t(`rcs-agent.device.${status}`)}</Badge>
                {mayChange ? (
                  <IconButton
                    className="ml-auto"
                    label={t('rcs-agent.remove', { phone })}
                    onClick={() => void askToRemove(phone)}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                ) : null}
                {status === 'declined' ? (
                  <span className="w-full text-sm text-muted">{t('rcs-agent.declinedHint')}</span>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

function InviteForm({ channelId, onInvited }: { channelId: string; onInvited: () => Promise<void> }) {
  const [phone, setPhone] = useState('');
  const [isPressed, setPressed] = useState(false);
  const isNumber = readInternational(phone) !== null;
  const invite = useAction({
    mutationFn: () => api.channelAgents.inviteTestDevice({ channelId, phone: phone.trim() }),
    onSuccess: async (device) => {
      notify.success(t('rcs-agent.invited', { phone: device.phone }));
      setPhone('');
      setPressed(false);
      await onInvited();
    },
  });
  return (
    <form
      noValidate
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setPressed(true);
        if (isNumber) invite.mutate();
      }}
    >
      <Field
        label={t('rcs-agent.devicePhone')}
        hint={t('rcs-agent.deviceHint')}
        error={
          invite.isError
            ? inviteErrorMessage(invite.error)
            : isPressed && !isNumber
              ? t('rcs-agent.phoneInvalid')
              : undefined
        }
        className="min-w-0 flex-1 basis-48"
      >
        <Input
          type="tel"
          autoComplete="off"
          maxLength={40}
          value={phone}
          onChange={({ target }) => {
            setPhone(target.value);
            setPressed(false);
            invite.reset();
          }}
        />
      </Field>
      <Button
        type="submit"
        className="mt-7"
        icon={<UserPlus aria-hidden />}
        loading={invite.isPending}
        disabled={phone.trim() === ''}
      >
        {t('rcs-agent.invite')}
      </Button>
    </form>
  );
}
