import { useQuery } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { Suspense } from 'react';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { CardGrid } from '../../ui/page-frame.tsx';
import { CardGridSkeleton, EmptyState, ErrorState } from '../../ui/states.tsx';
import { IntegrationCard } from './integration-card.tsx';
import {
  findIntegrations,
  integrationErrorMessage,
  integrationKeys,
  integrationsOptions,
  readIntegrationsSearch,
} from './integrations-queries.ts';

const IntegrationDialogs = lazyDialog(
  async () => (await import('./integration-dialogs.tsx')).IntegrationDialogs,
  ({ onClose }) => onClose(),
);

/** The cards of all services with their dialogs, for the page of integrations and the tab of Automation. The address holds search, category and dialog. */
export function IntegrationCards() {
  const hasWords = useMessages('integrations');
  useLiveQuery(['integrations'], integrationKeys());
  useSession();
  const [url, setUrl] = useUrlState(readIntegrationsSearch);
  const { data, error, refetch } = useQuery(integrationsOptions());
  if (!hasWords || (!data && !error)) return <CardGridSkeleton count={8} />;
  if (!data) return <ErrorState text={integrationErrorMessage(error)} onRetry={() => void refetch()} />;
  const shown = findIntegrations(data.items, url);
  const close = () => setUrl({ dialog: undefined, kind: undefined });
  return (
    <>
      {shown.length === 0 ? (
        <EmptyState
          icon={<Plug aria-hidden />}
          title={t('integrations.empty')}
          action={
            <Button onClick={() => setUrl({ search: undefined, category: undefined })}>
              {t('integrations.clear')}
            </Button>
          }
        />
      ) : (
        <CardGrid label={t('integrations.title')}>
          {shown.map((one) => (
            <IntegrationCard
              key={one.kind}
              integration={one}
              onOpen={(dialog) => setUrl({ dialog, kind: one.kind }, { push: true })}
            />
          ))}
        </CardGrid>
      )}
      {url.dialog === '' ? null : (
        <Suspense>
          <IntegrationDialogs url={url} onOpen={(dialog, kind) => setUrl({ dialog, kind })} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
