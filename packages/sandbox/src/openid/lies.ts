/** What the provider can be told to say wrongly; each of them a client must notice. */
export const lies = [
  'nonce',
  'no-nonce',
  'audience',
  'issuer',
  'expired',
  'alg-none',
  'alg-hmac',
  'signature',
  'unknown-key',
  'old-auth-time',
  'no-auth-time',
  'no-id-token',
  'answer-issuer',
  'userinfo-subject',
] as const;
export type Lie = (typeof lies)[number];

export interface OpenIdBehaviour {
  /** Signs in as this person without asking; null shows the page where one is chosen. */
  person: string | null;
  lie: Lie | null;
  /** Answers nothing but 503. */
  isAway: boolean;
  /** Says e-mail, name and groups at the userinfo endpoint alone. */
  isTerse: boolean;
  /** Leaves out whether an address is verified, as some providers do. */
  saysNoVerified: boolean;
  latencyMs: number;
}

export const defaultOpenIdBehaviour: OpenIdBehaviour = {
  person: null,
  lie: null,
  isAway: false,
  isTerse: false,
  saysNoVerified: false,
  latencyMs: 0,
};

/** The behaviour with what a control changes; a sentence for what cannot be. */
export function changeBehaviour(
  before: OpenIdBehaviour,
  change: Record<string, unknown>,
): OpenIdBehaviour | string {
  const next: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (!Object.hasOwn(before, name)) return `There is no ${name}`;
    if (name === 'lie' && value !== null && !lies.some((lie) => lie === value)) return 'There is no such lie';
    if (/^(is|says)/.test(name) && typeof value !== 'boolean') return `${name} is true or false`;
    if (name === 'latencyMs' && typeof value !== 'number') return 'latencyMs is a number';
    next[name] = value;
  }
  return next as unknown as OpenIdBehaviour; // each name was looked at
}
