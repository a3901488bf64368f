/** Errors of integrations, as `errors.ts` lists those of all features. */
export const integrationErrors = {
  integration_not_found: { status: 404, message: 'There is no such integration.' },
  integration_not_available: { status: 409, message: 'This integration does not offer that.' },
  integration_connected: { status: 409, message: 'This integration is connected already.' },
  integration_not_connected: { status: 409, message: 'This integration is not connected.' },
  integration_changed: { status: 409, message: 'This integration was changed in the meantime.' },
  integration_syncing: { status: 409, message: 'A sync of this integration is under way.' },
  integration_incomplete: { status: 422, message: 'Please fill in all fields of the connection.' },
  integration_refused: { status: 422, message: 'The service did not accept the connection.' },
  integration_consent_expired: {
    status: 409,
    message: 'This consent has expired or was begun elsewhere. Please connect the service again.',
  },
  integration_mapping_invalid: { status: 422, message: 'This mapping of fields does not work.' },
  integration_preview_missing: {
    status: 409,
    message: 'Look at the preview of the first sync before you start it.',
  },
} as const;
