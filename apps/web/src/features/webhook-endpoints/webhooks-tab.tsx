import { useQuery } from '@tanstack/react-query';
import { Plus, Webhook } from 'lucide-react';
import { Suspense } from 'react';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { EndpointRow } from './endpoint-row.tsx';
import { VerifyPanel } from './verify-panel.tsx';
import { endpointsOptions, readWebhooksSearch, webhookErrorMessage, webhookKeys } from './webhook-queries.ts';

const WebhookDialogs = lazyDialog(
  async () => (await import('./webhook-dialogs.tsx')).WebhookDialogs,
  ({ onClose }) => onClose(),
);

/** Outgoing webhooks: endpoints, what was sent to them, and how a receiver verifies it. */
export function WebhooksTab() {
  const hasWords = useMessages('webhook-endpoints');
  useLiveQuery(['webhook-endpoints'], webhookKeys());
  // What the signed-in person may do can change while the page is open.
  useSession();
  const [url, setUrl] = useUrlState(readWebhooksSearch);
  if (!hasWords) return <Skeleton className="h-48" />;
  const close = () => setUrl({ dialog: undefined, endpoint: undefined, delivery: undefined });
  return (
    <div className="flex flex-col gap-4">
      <EndpointsPanel
        onOpen={(dialog, endpoint) => setUrl({ dialog, endpoint: endpoint || undefined }, { push: true })}
      />
      <DeliveriesPanel
        url={url}
        onFilter={(filter) => setUrl(filter)}
        onOpen={(delivery) => setUrl({ dialog: 'delivery', delivery }, { push: true })}
      />
      <VerifyPanel />
      {url.dialog === '' ? null : (
        <Suspense>
          {/* The receiver needs the secret before the first event: it follows at once. */}
          <WebhookDialogs
            url={url}
            onAdded={(endpoint) => setUrl({ dialog: 'secret', endpoint })}
            onClose={close}
          />
        </Suspense>
      )}
    </div>
  );
}

type EndpointDialog = 'new' | 'edit' | 'secret' | 'resume' | 'resend';

function EndpointsPanel({ onOpen }: { onOpen: (dialog: EndpointDialog, endpointId: string) => void }) {
  const { data, error, refetch } = useQuery(endpointsOptions());
  const add = can('settings:manage') ? (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => onOpen('new', '')}>
      {t('webhookEndpoints.add')}
    </Button>
  ) : undefined;
  return (
    <Panel
      title={t('webhookEndpoints.title')}
      purpose={t('webhookEndpoints.purpose')}
      actions={data && data.items.length > 0 ? add : undefined}
      flush
    >
      {error && !data ? (
        <ErrorState text={webhookErrorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <Skeleton className="mx-5 mb-4 h-16" /> : null}
      {data?.items.length === 0 ? (
        <EmptyState
          icon={<Webhook aria-hidden />}
          title={t('webhookEndpoints.empty')}
          text={t('webhookEndpoints.emptyText')}
          action={add}
        />
      ) : null}
      {data && data.items.length > 0 ? (
        <ul aria-label={t('webhookEndpoints.title')} className="mt-3">
          {data.items.map((endpoint) => (
            <EndpointRow
              key={endpoint.id}
              endpoint={endpoint}
              onOpen={(dialog) => onOpen(dialog, endpoint.id)}
            />
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}
