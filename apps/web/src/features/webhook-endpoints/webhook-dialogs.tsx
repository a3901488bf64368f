import { useQuery } from '@tanstack/react-query';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { ResendDialog } from './resend-dialog.tsx';
import { ResumeDialog } from './resume-dialog.tsx';
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx';
import { endpointsOptions, type WebhooksSearch } from './webhook-queries.ts';

/** The dialog that the address names. One of an endpoint that is gone does not open. */
export function WebhookDialogs({
  url,
  onAdded,
  onClose,
}: {
  url: WebhooksSearch;
  onAdded: (endpointId: string) => void;
  onClose: () => void;
}) {
  const { data } = useQuery(endpointsOptions());
  if (url.dialog === 'new') return <EndpointDialog endpoint={null} onAdded={onAdded} onClose={onClose} />;
  if (url.dialog === 'delivery') return <DeliveryDialog deliveryId={url.delivery} onClose={onClose} />;
  const endpoint = data?.items.find(({ id }) => id === url.endpoint);
  if (!endpoint) return null;
  switch (url.dialog) {
    case 'edit':
      return <EndpointDialog endpoint={endpoint} onClose={onClose} />;
    case 'secret':
      return <WebhookSecretDialog endpoint={endpoint} onClose={onClose} />;
    case 'resume':
      return <ResumeDialog endpoint={endpoint} onClose={onClose} />;
    case 'resend':
      return <ResendDialog endpoint={endpoint} onClose={onClose} />;
    default:
      return null;
  }
}
