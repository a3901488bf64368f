import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../shared/acts/use-act.ts';
import { api, readFailure } from '../../shared/api.ts';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner, EmptyState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import {
  refreshConnections,
  saveFailureText,
  subscriptionOptions,
  webhookFailureText,
  type Connection,
} from './connection-queries.ts';
import { WebhookCalls } from './webhook-calls.tsx';

/** As the specification names them. */
const events = [
  'messages',
  'message_deliveries',
  'message_reads',
  'messaging_optins',
  'messaging_optouts',
] as const;

/** Where the platform tells us what happens, and whether it does. */
export function WebhookPart({ connection }: { connection: Connection | undefined }) {
  useMessages('deliveries');
  if (!connection)
    return (
      <EmptyState
        icon={<Webhook aria-hidden />}
        title={t('connection.webhook.none')}
        text={t('connection.webhook.noneText')}
      />
    );
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <WebhookAddress connection={connection} />
      {connection.isConnected ? <Subscription connection={connection} /> : null}
      <WebhookCalls name={connection.displayName} />
    </div>
  );
}

function WebhookAddress({ connection }: { connection: Connection }) {
  const { webhookUrl, webhookToken, webhookProblem } = connection;
  return (
    <Panel title={t('connection.tab.webhook')} purpose={t('connection.webhook.purpose')}>
      <div className="flex flex-col gap-4">
        {webhookProblem === null ? null : (
          <Banner tone="warning">{t(`connection.webhook.${webhookProblem}`)}</Banner>
        )}
        <Field label={t('connection.webhook.url')}>
          <Copied text={webhookUrl} />
        </Field>
        {webhookToken === null ? null : <WebhookToken key={webhookToken} connection={connection} />}
        <div>
          <p className="mb-1.5 font-medium">{t('connection.webhook.events')}</p>
          <ul className="flex flex-wrap gap-1.5">
            {events.map((event) => (
              <li key={event}>
                <Badge className="font-mono">{event}</Badge>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Panel>
  );
}

/** The word may be one of the person's own. It counts from the next call of the platform on. */
function WebhookToken({ connection }: { connection: Connection }) {
  const { id, kind, version, server, values, webhookToken } = connection;
  const [token, setToken] = useState(webhookToken ?? '');
  const queryClient = useQueryClient();
  const save = useAct({
    mutationFn: async () => {
      const { kinds } = await api.connections.list({});
      const name = kinds.find((one) => one.name === kind)?.webhookToken ?? '';
      return api.connections.update({
        ...{ channelId: id, version, server: server === 'sandbox' ? 'sandbox' : 'platform' },
        values: { ...values, [name]: token },
      });
    },
    onSuccess: () => notify.success(t('connection.saved')),
    onError: (error) =>
      notify.error(
        readFailure(error).code === 'channel_changed' ? t('connection.conflict') : saveFailureText(error),
      ),
    onSettled: () => refreshConnections(queryClient),
  });
  const isChanged = token !== webhookToken;
  return (
    <Field label={t('connection.webhook.token')} hint={t('connection.webhook.tokenHint')}>
      <span className="flex gap-2">
        <Input
          value={token}
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
          maxLength={500}
          onChange={({ target }) => setToken(target.value)}
        />
        {isChanged ? (
          <Button loading={save.isPending} disabled={token.trim() === ''} onClick={() => save.mutate()}>
            {t('common.save')}
          </Button>
        ) : (
          <CopyButton text={token} />
        )}
      </span>
    </Field>
  );
}

function Copied({ text }: { text: string }) {
  return (
    <span className="flex gap-2">
      <Input readOnly value={text} className="font-mono" />
      <CopyButton text={text} />
    </span>
  );
}

/** Whether the platform sends what happens in this account to us, and the press that has it do so. */
function Subscription({ connection }: { connection: Connection }) {
  const { id } = connection;
  const { data } = useQuery(subscriptionOptions(id));
  const queryClient = useQueryClient();
  const subscribe = useAct({
    mutationFn: () => api.connections.subscribe({ channelId: id }),
    onSuccess: ({ milliseconds }) =>
      notify.success(t('connection.webhook.subscribed', { ms: formatNumber(milliseconds) })),
    onSettled: () => queryClient.invalidateQueries(subscriptionOptions(id)),
  });
  return (
    <Panel title={t('connection.webhook.subscription')} purpose={t('connection.webhook.subscriptionPurpose')}>
      <div className="flex flex-col items-start gap-3">
        {data ? (
          <Badge tone={data.state === 'here' ? 'success' : 'warning'} dot>
            {t(`connection.webhook.state.${data.state}`, { address: data.address ?? 'empty' })}
          </Badge>
        ) : (
          <Skeleton className="w-40" />
        )}
        {subscribe.error ? <Banner tone="danger">{webhookFailureText(subscribe.error)}</Banner> : null}
        {can('settings:manage') ? (
          <Button
            variant={data?.state === 'here' ? 'secondary' : 'primary'}
            icon={<Webhook aria-hidden />}
            loading={subscribe.isPending}
            onClick={() => subscribe.mutate()}
          >
            {t(data?.state === 'here' ? 'connection.webhook.again' : 'connection.webhook.subscribe')}
          </Button>
        ) : null}
      </div>
    </Panel>
  );
}
