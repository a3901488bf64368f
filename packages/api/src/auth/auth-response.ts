/** Every refusal of `/api/auth/*`: HTTP status and the sentence for people. */
const refusals = {
  invalid_credentials: { status: 401, message: 'Invalid email or password' },
  signed_out: { status: 401, message: 'Please sign in.' },
  account_inactive: {
    status: 403,
    message: 'This account is not active. An administrator of your workspace can activate it.',
  },
  sample_locked: {
    status: 403,
    message: 'The sample workspace is locked on a server that others can reach.',
  },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  email_taken: { status: 409, message: 'An account with this email address already exists' },
  invalid_input: { status: 422, message: 'Please correct the marked fields.' },
  reset_link_invalid: { status: 422, message: 'This link has expired or was already used.' },
  account_locked: { status: 429, message: 'Too many failed sign-ins. Please try again later.' },
  too_many_attempts: { status: 429, message: 'Too many attempts. Please try again later.' },
  busy: { status: 503, message: 'The server is busy. Please try again in a moment.' },
} as const;

export type RefusalCode = keyof typeof refusals;

export type RefusalDetails = {
  /** One sentence per form field. */
  fields?: Record<string, string>;
  retryAfterSeconds?: number;
};

/** Thrown inside the sign-in routes and answered as JSON: `{ error: { code, message, … } }`. */
export class AuthRefusal extends Error {
  override name = 'AuthRefusal';
  readonly code: RefusalCode;
  readonly details: RefusalDetails;
  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(refusals[code].message);
    this.code = code;
    this.details = details;
  }
}

export function answerRefusal({ code, message, details }: AuthRefusal): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (details.retryAfterSeconds !== undefined) headers.set('retry-after', String(details.retryAfterSeconds));
  return Response.json({ error: { code, message, ...details } }, { status: refusals[code].status, headers });
}

export function answer(body: unknown, cookies: readonly string[] = []): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return Response.json(body, { headers });
}
