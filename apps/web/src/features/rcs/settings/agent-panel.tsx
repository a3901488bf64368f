import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, RefreshCw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { orpc } from '../../../shared/api.ts';
import { useLiveQuery } from '../../../shared/live/use-live-query.ts';
import { findText, t } from '../../../shared/messages.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { Banner, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { agentErrorMessage, agentOptions, type AgentReport } from './agent-queries.ts';

const tones: Record<AgentReport['launchState'], BadgeTone> = {
  launched: 'success',
  pending: 'info',
  rejected: 'danger',
  suspended: 'danger',
  unlaunched: 'neutral',
};

/** Those that messages of ours use, in the platform's words. */
const features = [
  ...['RICHCARD_STANDALONE', 'RICHCARD_CAROUSEL', 'ACTION_OPEN_URL', 'ACTION_DIAL', 'ACTION_VIEW_LOCATION'],
  ...[
    'ACTION_SHARE_LOCATION',
    'ACTION_CREATE_CALENDAR_EVENT',
    'ACTION_OPEN_URL_IN_WEBVIEW',
    'PDF_IN_RICH_CARDS',
  ],
];

/** The agent as its platform describes it: brand, launch, and what phones show of it. */
export function AgentPanel({ channelId }: { channelId: string }) {
  const { data, error, isFetching, refetch } = useQuery(agentOptions(channelId));
  const queryClient = useQueryClient();
  // A platform that stops the agent tells the server, which tells of the channel.
  useLiveQuery(['channels'], [orpc.channelAgents.key()]);
  // Its test devices as well: which of them accepted decides what is shown here.
  const refresh = () => queryClient.invalidateQueries({ queryKey: orpc.channelAgents.key() });
  return (
    <>
      <Panel
        title={t('rcs-agent.title')}
        purpose={t('rcs-agent.purpose')}
        actions={
          <Button
            size="small"
            icon={<RefreshCw aria-hidden />}
            loading={isFetching}
            onClick={() => void refresh()}
          >
            {t('rcs-agent.refresh')}
          </Button>
        }
      >
        {error && !data ? (
          <ErrorState text={agentErrorMessage(error)} onRetry={() => void refetch()} />
        ) : data ? (
          <Report agent={data} />
        ) : (
          <Skeleton className="h-32" />
        )}
      </Panel>
      {data ? <Features reported={data.features} /> : null}
    </>
  );
}

function Report({ agent }: { agent: AgentReport }) {
  const { launchState, launches, useCase, region, billing } = agent;
  return (
    <div className="flex flex-col gap-4">
      {launchState === 'launched' ? null : (
        <Banner tone={launchState === 'pending' || launchState === 'unlaunched' ? 'info' : 'warning'}>
          {t(`rcs-agent.text.${launchState}`)}
        </Banner>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        <Fact label={t('rcs-agent.launch')}>
          <span className="flex flex-wrap gap-1.5">
            {launches.length > 1 ? (
              launches.map(({ carrier, state }) => (
                <Badge key={carrier} tone={tones[state]}>
                  {carrier}: {t(`rcs-agent.launch.${state}`)}
                </Badge>
              ))
            ) : (
              <Badge tone={tones[launchState]}>{t(`rcs-agent.launch.${launchState}`)}</Badge>
            )}
          </span>
        </Fact>
        <Fact label={t('rcs-agent.brand')}>{agent.brand}</Fact>
        <Fact label={t('rcs-agent.name')}>{agent.displayName}</Fact>
        <Fact label={t('rcs-agent.description')}>{agent.description}</Fact>
        <Fact label={t('rcs-agent.useCase')}>
          {useCase && (findText(`rcs.useCase.${useCase}`) ?? useCase)}
        </Fact>
        <Fact label={t('rcs-agent.region')}>{region && (findText(`rcs.region.${region}`) ?? region)}</Fact>
        <Fact label={t('rcs-agent.billing')}>
          {billing && (findText(`rcs-agent.billing.${billing}`) ?? billing)}
        </Fact>
      </dl>
    </div>
  );
}

/** Nothing for what the platform does not say. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === null) return null;
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function Features({ reported }: { reported: readonly string[] | null }) {
  const others = reported?.filter((feature) => !features.includes(feature)) ?? [];
  return (
    <Panel
      title={t('rcs.features')}
      purpose={reported === null ? t('rcs-agent.featuresNone') : t('rcs-agent.featuresFrom')}
    >
      {reported === null ? null : (
        <ul className="flex flex-col gap-2" aria-label={t('rcs.features')}>
          {[...features, ...others].map((feature) => {
            const isShown = reported.includes(feature);
            return (
              <li key={feature} className="flex items-start gap-2">
                {isShown ? (
                  <Check
                    className="mt-0.5 size-4 shrink-0 text-success"
                    aria-label={t('rcs-agent.supported')}
                  />
                ) : (
                  <X className="mt-0.5 size-4 shrink-0 text-muted" aria-label={t('rcs-agent.notSupported')} />
                )}
                <span className={isShown ? undefined : 'text-muted'}>
                  {findText(`rcs-agent.feature.${feature.toLowerCase()}`) ?? feature}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
