import { advisoryLocks } from '@app/database/advisory-locks';
import { networkOf } from '@app/domain/auth/network-of';
import type { CompanyIdentity } from '@app/domain/company-sign-in/company-provider';
import { noCompanyRules } from '@app/domain/company-sign-in/company-rules';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { findIdentity } from '../../company-sign-in/company-identities.ts';
import type { Origin } from '../../platform/origin.ts';
import { changeAcrossWorkspaces } from '../../platform/system-work.ts';
import type { AuthParts } from '../auth-parts.ts';
import { AuthError } from '../auth-response.ts';
import type { Arrived } from './arrival.ts';
import { welcomeBack } from './welcome-back.ts';
import { welcomeNewcomer } from './welcome-newcomer.ts';

/**
 * Whose account this person of the company has; a first time makes one. The provider's name of the person decides, and never an address: that may change,
 * and may be written by whoever likes.
 * @throws {AuthError}
 */
export async function arriveByCompany(
  parts: AuthParts,
  origin: Origin,
  identity: CompanyIdentity,
  language: InterfaceLanguage,
): Promise<Arrived> {
  const rules = parts.companyProvider?.rules ?? noCompanyRules;
  return changeAcrossWorkspaces(parts, 'sign-in', async ({ tx, client, scopeOf }) => {
    // Who comes twice at once comes once.
    await client.query(
      `SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.companyIdentity}))`,
      [`${identity.issuer}\n${identity.subject}`],
    );
    const arrival = { parts, tx, client, scopeOf, identity, rules, origin, language };
    const known = await findIdentity(client, identity);
    if (known) return welcomeBack(arrival, known);
    const limit = parts.signUpLimit.begin(networkOf(origin.ipAddress));
    if (!limit.isAllowed)
      throw new AuthError('too_many_attempts', { retryAfterSeconds: limit.retryAfterSeconds });
    return welcomeNewcomer(arrival);
  });
}
