import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Hash } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, readFailure } from '../../shared/api.ts';
import { formatNumber } from '../../shared/formats.ts';
import { findText, t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { problemText, type Connection, type FieldCheck } from './connection-queries.ts';
import { NumberDialog } from './number-dialog.tsx';
import { NumberProfileDialog } from './number-profile-dialog.tsx';
import { NumberRate } from './number-rate.tsx';
import { numberErrorMessage, numbersOptions, refreshNumbers, type AccountNumber } from './numbers-queries.ts';

const qualityTones: Record<AccountNumber['quality'], BadgeTone> = {
  green: 'success',
  yellow: 'warning',
  red: 'danger',
  unknown: 'neutral',
};

/** Reviews of the name that people see; one that is over says nothing. */
const nameTones: Record<string, BadgeTone> = {
  pending_review: 'warning',
  declined: 'danger',
  expired: 'warning',
};

/** What no registration mends. */
const HELD_BACK = ['flagged', 'restricted', 'rate_limited', 'banned', 'deleted', 'migrated'];

/** Every number of the account, as the platform describes it, and what can be done with each. */
export function NumbersPart({ connection }: { connection: Connection | undefined }) {
  useMessages('deliveries');
  const isOn = connection?.isConnected === true;
  const { data, error, refetch } = useQuery({
    ...numbersOptions(connection?.id ?? ''),
    enabled: isOn,
  });
  const [opened, setOpened] = useState<{ number: AccountNumber; mode: 'verify' | 'register' } | null>(null);
  const [profileOf, setProfileOf] = useState<{ channelId: string; displayNumber: string } | null>(null);
  if (!connection || !isOn)
    return (
      <EmptyState
        icon={<Hash aria-hidden />}
        title={t('connection.webhook.none')}
        text={t('connection.numbers.noneText')}
      />
    );
  return (
    <Panel title={t('connection.tab.numbers')} purpose={t('connection.numbers.purpose')} flush>
      {error && !data ? <ErrorState text={numberErrorMessage(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton className="mx-5 my-4 h-12" /> : null}
      <ul aria-label={t('connection.tab.numbers')} className="mt-3 divide-y divide-border">
        {data?.items.map((number) => (
          <NumberRow
            key={number.address}
            number={number}
            channelId={connection.id}
            onOpen={(mode) => setOpened({ number, mode })}
            onProfile={setProfileOf}
          />
        ))}
      </ul>
      {opened ? <NumberDialog channelId={connection.id} {...opened} onClose={() => setOpened(null)} /> : null}
      {profileOf ? <NumberProfileDialog {...profileOf} onClose={() => setProfileOf(null)} /> : null}
    </Panel>
  );
}

interface NumberRowProps {
  number: AccountNumber;
  channelId: string;
  onOpen: (mode: 'verify' | 'register') => void;
  onProfile: (number: { channelId: string; displayNumber: string }) => void;
}

function NumberRow({ number, channelId, onOpen, onProfile }: NumberRowProps) {
  const { address, displayNumber, name, nameStatus, quality, status, codeStatus, maySend, channel } = number;
  const queryClient = useQueryClient();
  const connect = useAction({
    mutationFn: () => api.numbers.add({ channelId, address }),
    onSuccess: async () => {
      notify.success(t('connection.saved'));
      await refreshNumbers(queryClient);
    },
    onError: (error) => {
      const [issue] = readFailure(error).issues;
      const problem = issue?.message as FieldCheck['problem'] | undefined;
      notify.error((problem && problemText({ problem, detail: '' })) ?? numberErrorMessage(error));
    },
  });
  const choose = useAction({
    mutationFn: (id: string) => api.numbers.setDefault({ channelId: id }),
    onSuccess: () => refreshNumbers(queryClient),
    onError: (error) => notify.error(numberErrorMessage(error)),
  });
  const isVerified = codeStatus === 'verified';
  return (
    <li className="flex flex-col gap-2 px-5 py-4">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium tabular-nums" dir="ltr">
          {displayNumber}
        </span>
        <span className="text-muted">{name}</span>
        {channel?.isDefault ? <Badge tone="primary">{t('connection.numbers.default')}</Badge> : null}
        <Badge tone={maySend ? 'success' : 'warning'} dot>
          {maySend ? t('connection.numbers.maySend') : stateText(status)}
        </Badge>
        <Badge tone={qualityTones[quality]}>{t(`connection.numbers.quality.${quality}`)}</Badge>
        {maySend && (channel?.health === 'limited' || channel?.health === 'blocked') ? (
          <Badge tone={channel.health === 'blocked' ? 'danger' : 'warning'}>
            {t(`connection.numbers.health.${channel.health}`)}
          </Badge>
        ) : null}
        {nameStatus !== null && nameStatus in nameTones ? (
          <Badge tone={nameTones[nameStatus]}>
            {findText(`connection.numbers.nameStatus.${nameStatus}`)}
          </Badge>
        ) : null}
      </div>
      <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-3">
        <Fact label={t('connection.numbers.limit')} value={limitText(number)} />
        <Fact
          label={t('connection.numbers.throughput')}
          value={
            number.messagesPerSecond === null
              ? '—'
              : t('connection.numbers.perSecond', { rate: formatNumber(number.messagesPerSecond) })
          }
        />
        <Fact
          label={t('connection.numbers.verified')}
          value={t(isVerified ? 'connection.numbers.isVerified' : 'connection.numbers.isNotVerified')}
        />
      </dl>
      <div className="flex flex-wrap items-end gap-2">
        {can('settings:manage') ? (
          <>
            {channel ? <NumberRate channel={channel} number={number} /> : null}
            {isVerified ? null : (
              <Button onClick={() => onOpen('verify')}>{t('connection.numbers.verify')}</Button>
            )}
            {maySend || !isVerified || HELD_BACK.includes(status ?? '') ? null : (
              <Button onClick={() => onOpen('register')}>{t('connection.numbers.register')}</Button>
            )}
            {channel === null ? (
              <Button loading={connect.isPending} onClick={() => connect.mutate()}>
                {t('connection.numbers.connect')}
              </Button>
            ) : null}
            {channel?.isConnected && !channel.isDefault ? (
              <Button loading={choose.isPending} onClick={() => choose.mutate(channel.id)}>
                {t('connection.numbers.makeDefault')}
              </Button>
            ) : null}
          </>
        ) : null}
        {channel?.isConnected ? (
          <Button onClick={() => onProfile({ channelId: channel.id, displayNumber })}>
            {t('connection.profile.open')}
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted">{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Why a number cannot send; a word of the platform that is new to us stays as it spells it. */
function stateText(status: string | null): string {
  if (status === null) return t('connection.numbers.mayNotSend');
  return findText(`connection.numbers.status.${status}`) ?? status;
}

function limitText({ peopleADay }: AccountNumber): string {
  if (peopleADay === null) return '—';
  return peopleADay === 'unlimited'
    ? t('connection.numbers.unlimited')
    : t('connection.numbers.peopleADay', { people: formatNumber(peopleADay) });
}
