/** Errors of API keys, see `errorTable`. */
export const apiKeyErrors = {
  api_key_invalid: {
    status: 401,
    message: 'This API key is unknown, was revoked, or belongs to a user without access.',
  },
  api_key_expired: { status: 401, message: 'This API key has expired.' },
  api_key_address: { status: 403, message: 'This API key may not be used from this network address.' },
  api_key_with_session: {
    status: 400,
    message: 'Send either an API key or a session cookie, not both.',
  },
  api_key_not_accepted: { status: 403, message: 'This endpoint cannot be called with an API key.' },
  api_key_not_found: { status: 404, message: 'There is no such API key.' },
  api_key_known: {
    status: 409,
    message: 'This API key was already created. Its secret is not shown again.',
  },
  too_many_api_keys: { status: 409, message: 'The limit of API keys for one user is reached.' },
  api_key_expiry_invalid: { status: 422, message: 'The expiry date must be within the next five years.' },
} as const;
