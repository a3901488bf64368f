/** Errors of outgoing webhooks, as `errors.ts` lists those of all features. */
export const webhookEndpointErrors = {
  webhook_endpoint_not_found: { status: 404, message: 'There is no such webhook endpoint.' },
  webhook_endpoint_changed: { status: 409, message: 'This webhook endpoint was changed in the meantime.' },
  webhook_endpoint_limit: { status: 409, message: 'The limit of webhook endpoints is reached.' },
  webhook_url_invalid: { status: 422, message: 'Webhooks cannot be sent to this address.' },
  webhook_url_refused: {
    status: 422,
    message: 'This address is private. Only the operator can allow it, with PRIVATE_HOSTS.',
  },
  webhook_url_insecure: { status: 422, message: 'The address must begin with https://.' },
  webhook_event_unknown: { status: 422, message: 'There is no such event type.' },
  webhook_delivery_not_found: { status: 404, message: 'There is no such delivery.' },
  webhook_body_gone: {
    status: 409,
    message: 'The content of this delivery was deleted when a person was erased.',
  },
  webhook_period_missing: {
    status: 422,
    message: 'To resend all deliveries, give the beginning of the period.',
  },
} as const;
