import { can } from '../../shared/session.ts';
import { WebhooksTab } from '../webhook-endpoints/webhooks-tab.tsx';
import { IncomingWebhooks } from './incoming-webhooks.tsx';

/** Webhooks in both directions: what is sent to other services, and the addresses at which they begin runs. */
export function HooksTab() {
  return (
    <div className="flex flex-col gap-4">
      <WebhooksTab />
      {can('campaigns:update') && can('contacts:read') ? <IncomingWebhooks /> : null}
    </div>
  );
}
