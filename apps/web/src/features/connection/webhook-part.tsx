import { useQueryClient } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner, EmptyState } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshConnections, saveErrorMessage, type Connection } from './connection-queries.ts';
import { useSavedHere } from './unsaved-here.tsx';
import { WebhookCalls } from './webhook-calls.tsx';
import { WebhookSubscription } from './webhook-subscription.tsx';

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
      {connection.isConnected ? <WebhookSubscription connection={connection} /> : null}
      <WebhookCalls connection={connection} />
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
  const isChanged = token !== webhookToken;
  const isWritten = token.trim() !== '';
  useUnsavedWarning(isChanged, ['tab', 'part', 'number']);
  const save = useAction({
    mutationFn: async (_by: 'field' | 'tab') => {
      const { kinds } = await api.connections.list({});
      const name = kinds.find((one) => one.name === kind)?.webhookToken ?? '';
      return api.connections.update({
        ...{ channelId: id, version, server: server === 'sandbox' ? 'sandbox' : 'platform' },
        values: { ...values, [name]: token },
      });
    },
    onSuccess: (_, by) => {
      if (by === 'field') notify.success(t('connection.saved'));
    },
    onError: (error) =>
      notify.error(
        readFailure(error).code === 'channel_changed' ? t('connection.conflict') : saveErrorMessage(error),
      ),
    onSettled: () => refreshConnections(queryClient),
  });
  useSavedHere(isChanged && isWritten, () =>
    save.mutateAsync('tab').then(
      () => true,
      () => false,
    ),
  );
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
          <Button loading={save.isPending} disabled={!isWritten} onClick={() => save.mutate('field')}>
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
