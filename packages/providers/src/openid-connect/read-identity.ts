import type { CompanyIdentity } from '@app/domain/company-sign-in/company-provider';
import { readClaim, type CompanyRules } from '@app/domain/company-sign-in/company-rules';
import type { IDToken } from 'oauth4webapi';

/** Who somebody is by the signed claims, and where those are silent by what the provider says besides. */
export async function readIdentity(
  { issuer, claims, rules }: { issuer: string; claims: IDToken; rules: CompanyRules },
  readMore: () => Promise<Record<string, unknown>>,
): Promise<CompanyIdentity> {
  const { claim } = rules;
  const isSilent = claims['email'] === undefined || (claim !== null && readClaim(claims, claim).length === 0);
  const more = isSilent ? await readMore() : {};
  // An address and the word on it come from one mouth.
  const ofAddress = claims['email'] === undefined ? more : claims;
  const all: Record<string, unknown> = { ...more, ...claims };
  const names = readNames(all);
  const values = claim === null ? [] : readClaim(claims, claim);
  return {
    issuer,
    subject: claims.sub,
    email: readText(ofAddress['email']) || null,
    isEmailVerified: ofAddress['email_verified'] === true,
    ...names,
    provenAt: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1000).toISOString(),
    values: claim === null || values.length > 0 ? values : readClaim(more, claim),
  };
}

function readNames(claims: Record<string, unknown>): { firstName: string; lastName: string } {
  const [given, family] = [readText(claims['given_name']), readText(claims['family_name'])];
  if (given || family) return { firstName: given || family, lastName: given ? family : '' };
  const [first = '', ...rest] = (readText(claims['name']) || readText(claims['preferred_username'])).split(
    /\s+/,
  );
  return { firstName: first, lastName: rest.join(' ') };
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
