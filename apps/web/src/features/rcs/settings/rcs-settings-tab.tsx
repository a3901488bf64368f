import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '../../../shared/error-message.ts';
import { useLiveQuery } from '../../../shared/live/use-live-query.ts';
import { t } from '../../../shared/messages.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { Panel } from '../../../ui/page-frame.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { connectionKeys, connectionsOptions } from '../../connection/connection-queries.ts';
import { WebhookCalls } from '../../connection/webhook-calls.tsx';
import { AgentForm } from './agent-form.tsx';
import { AgentPanel } from './agent-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { TestDevicesPanel } from './test-devices-panel.tsx';
import { WebhookPanel } from './webhook-panel.tsx';

/** The agent through which the workspace sends, and how it hears of what happens. */
export function RcsSettingsTab() {
  const hasWords = useMessages('connection');
  const hasOwnWords = useMessages('rcs-agent');
  // For what the platform rejects.
  useMessages('deliveries');
  useLiveQuery(['channels'], connectionKeys());
  const { data, error, refetch } = useQuery(connectionsOptions());
  if (error && !data) return <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data || !hasWords || !hasOwnWords) return <Skeleton className="h-64" />;
  const kind = data.kinds.find(({ name }) => name === 'rcs');
  if (!kind) return null;
  const agents = data.items.filter((one) => one.kind === kind.name);
  const agent = agents.find(({ isDefault }) => isDefault) ?? agents[0];
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <AgentForm key={agent?.id ?? 'new'} kind={kind} connection={agent} />
        {agent ? <WebhookPanel connection={agent} /> : null}
        {agent ? <WebhookCalls connection={agent} /> : null}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {/* What is to be done comes first: before it is connected the steps, then the agent. */}
        {agent?.isConnected ? null : <Guide sandboxConsole={kind.sandboxConsole} />}
        {agent?.isConnected ? <AgentPanel channelId={agent.id} /> : null}
        {agent?.isConnected ? <TestDevicesPanel channelId={agent.id} /> : null}
        <LimitsPanel kind={kind.name} />
        {agent?.isConnected ? <Guide sandboxConsole={kind.sandboxConsole} /> : null}
      </div>
    </div>
  );
}

const steps = ['agent', 'key', 'webhook', 'launch'] as const;

function Guide({ sandboxConsole }: { sandboxConsole: string | null }) {
  return (
    <Panel title={t('rcs.guide')} purpose={t('rcs.guidePurpose')}>
      <ol className="flex list-decimal flex-col gap-2 pl-5">
        {steps.map((step) => (
          <li key={step}>{t(`rcs.guide.${step}`)}</li>
        ))}
      </ol>
      {sandboxConsole === null ? null : (
        <p className="mt-3 text-sm text-muted">
          {t('rcs.guide.sandbox')}{' '}
          <a
            href={sandboxConsole.replace('#console', '#rcs')}
            target="_blank"
            rel="noreferrer"
            className="font-medium text-primary-text underline"
          >
            {t('connection.openConsole')}
          </a>
        </p>
      )}
    </Panel>
  );
}
