/** Errors of API keys, see `errorTable`. */
export const apiKeyErrors = {
  api_key_invalid: {
    status: 401,
    message: 'This API key is not known here, was revoked, or belongs to somebody without access.',
  },
  api_key_expired: { status: 401, message: 'This API key has expired.' },
  api_key_address: { status: 403, message: 'This API key may not be used from this network address.' },
  api_key_with_session: {
    status: 400,
    message: 'Send an API key or the cookie of a session, never both.',
  },
  api_key_not_accepted: { status: 403, message: 'This cannot be called with an API key.' },
  api_key_not_found: { status: 404, message: 'There is no such API key.' },
  api_key_known: {
    status: 409,
    message: 'This API key was made before, and its secret is not shown again.',
  },
  too_many_api_keys: { status: 409, message: 'There are as many API keys as one person can have.' },
  api_key_expiry_invalid: { status: 422, message: 'An API key expires within the next five years.' },
} as const;
