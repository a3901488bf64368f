/** Errors of outgoing webhooks, as `errors.ts` lists those of all features. */
export const webhookEndpointErrors = {
  webhook_endpoint_not_found: { status: 404, message: 'There is no such webhook endpoint.' },
  webhook_endpoint_changed: { status: 409, message: 'This webhook endpoint was changed in the meantime.' },
  webhook_endpoint_limit: { status: 409, message: 'There are as many webhook endpoints as there can be.' },
  webhook_url_invalid: { status: 422, message: 'This is no address that webhooks can be sent to.' },
  webhook_url_refused: {
    status: 422,
    message: 'This address is private: only the operator can allow it, with PRIVATE_HOSTS.',
  },
  webhook_url_insecure: { status: 422, message: 'The address must begin with https://.' },
  webhook_event_unknown: { status: 422, message: 'There is no such kind of event.' },
  webhook_delivery_not_found: { status: 404, message: 'There is no such delivery.' },
  webhook_body_gone: {
    status: 409,
    message: 'The content of this delivery was erased together with a person whom it named.',
  },
  webhook_period_missing: {
    status: 422,
    message: 'A resend of all deliveries needs the beginning of the period.',
  },
} as const;
