import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

const PERIOD_SECONDS = 30;
/** The name under which apps list the account. */
const ISSUER = 'WhatsApp Marketing Pro';
const SECRET_BYTES = 20;

/** A new secret, as text that people can type into an app. */
export function generateSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The time step whose code this is, of the present one and its two neighbours; null for a wrong code. */
export function findStep(secret: string, code: string, now: Date): number | null {
  const delta = openTotp(secret).validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

/** What an app reads: as an address, and as a picture that holds it. */
export function describeSecret(secret: string, email: string): { address: string; picture: string } {
  const address = openTotp(secret, email).toString();
  const svg = renderSVG(address, { border: 2, ecc: 'M' });
  return { address, picture: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}

function openTotp(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}
