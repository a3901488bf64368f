import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { codeText } from '../../shared/languages/refusal-text.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';

/** Why nothing can be sent at the moment: there is no agent, or it is stopped. Nothing while it sends. */
export function AgentBanner({ onSettings }: { onSettings: () => void }) {
  useLiveQuery(['channels'], [orpc.channels.key()]);
  const { data } = useQuery(orpc.channels.list.queryOptions({ input: {} }));
  const agents = data?.items.filter(({ kind }) => kind === 'rcs') ?? [];
  const agent = agents.find(({ isDefault }) => isDefault) ?? agents[0];
  const isConnected = agent !== undefined && agent.connection !== 'none';
  const stopped = isConnected ? agent.stopped : null;
  // The reasons are there, which a page without trouble does without.
  const hasReasons = useMessages('deliveries', stopped !== null);
  if (!data || (isConnected && (stopped === null || !hasReasons))) return null;
  return (
    <div className="mb-4">
      <Banner
        tone={isConnected ? 'warning' : 'info'}
        action={
          can('settings:read') ? (
            <Button size="small" onClick={onSettings}>
              {t('rcs.openSettings')}
            </Button>
          ) : undefined
        }
      >
        {isConnected ? (codeText(stopped?.code ?? '') ?? t('rcs.agentStopped')) : t('rcs.noAgent')}
      </Banner>
    </div>
  );
}
