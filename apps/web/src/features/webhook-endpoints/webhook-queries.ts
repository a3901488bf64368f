import { deliveryStatuses } from '@app/domain/webhook-endpoints/webhook-rules';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { readOneOf, readText } from '../../shared/url-state.ts';

export type WebhookEndpoint = Awaited<ReturnType<typeof api.webhookEndpoints.get>>;
export type Delivery = Awaited<ReturnType<typeof api.webhookDeliveries.list>>['items'][number];
export type DeliveryDetails = Awaited<ReturnType<typeof api.webhookDeliveries.get>>;
export type Attempt = DeliveryDetails['log'][number];

/** More than a workspace can have. */
const ALL_ENDPOINTS = 200;

export const webhookKeys = () => [orpc.webhookEndpoints.key(), orpc.webhookDeliveries.key()];
export const endpointsOptions = () =>
  orpc.webhookEndpoints.list.queryOptions({ input: { limit: ALL_ENDPOINTS } });
export const eventTypesOptions = () => orpc.webhookEndpoints.listEventTypes.queryOptions({ input: {} });

/** The parts of the address that belong to this tab. */
export function readWebhooksSearch(search: Record<string, unknown>) {
  return {
    dialog: readOneOf(search, 'dialog', [
      '',
      'new',
      'edit',
      'secret',
      'resume',
      'resend',
      'delivery',
    ] as const),
    endpoint: readText(search, 'endpoint'),
    delivery: readText(search, 'delivery'),
    of: readText(search, 'of'),
    status: readOneOf(search, 'status', ['', ...deliveryStatuses] as const),
    search: readText(search, 'search'),
  };
}
export type WebhooksSearch = ReturnType<typeof readWebhooksSearch>;

export const deliveriesOptions = ({ of, status, search }: Pick<WebhooksSearch, 'of' | 'status' | 'search'>) =>
  orpc.webhookDeliveries.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      ...{ limit: 25, cursor },
      ...(of && { endpointId: of }),
      ...(status && { status }),
      ...(search && { search }),
    }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const webhookErrorMessage = errorMessageOf({
  webhook_url_invalid: 'webhookEndpoints.error.urlInvalid',
  webhook_url_refused: 'webhookEndpoints.error.urlRefused',
  webhook_url_insecure: 'webhookEndpoints.error.urlInsecure',
  webhook_endpoint_limit: 'webhookEndpoints.error.limit',
  webhook_body_gone: 'webhookEndpoints.error.bodyGone',
});

/** What became of an attempt, in words. */
export function reasonText({
  outcome,
  reason,
  responseStatus,
}: Pick<Attempt, 'outcome' | 'reason' | 'responseStatus'>) {
  const status = String(responseStatus ?? '');
  if (outcome === 'begun') return t('webhookEndpoints.reason.begun');
  if (outcome === 'ok') return t('webhookEndpoints.reason.ok', { status });
  if (outcome === 'rejected') return t('webhookEndpoints.reason.http', { status });
  switch (reason) {
    case 'dns':
    case 'tls':
    case 'interrupted':
      return t(`webhookEndpoints.reason.${reason}`);
    case 'address_refused':
    case 'invalid_address':
      return t('webhookEndpoints.reason.refused');
    case 'response_timeout':
      return t('webhookEndpoints.reason.timeout');
    default:
      return t(outcome === 'not_sent' ? 'webhookEndpoints.reason.connect' : 'webhookEndpoints.reason.lost');
  }
}
