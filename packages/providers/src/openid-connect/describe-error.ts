import type { CompanyError } from '@app/domain/company-sign-in/company-provider';
import * as oauth from 'oauth4webapi';

/** Refusals of the token endpoint that tell of our own registration there. */
const OF_OUR_CLIENT = ['invalid_client', 'unauthorized_client', 'unsupported_grant_type'];

/**
 * Sorts what went wrong: the provider or the answer said no, or nothing can be said because the provider cannot be used. The reason is
 * made of codes and the library's own sentences: what it quotes, such as claims and tokens, stands in the cause and stays out.
 */
export function describeFailure(error: unknown): CompanyError {
  if (error instanceof oauth.AuthorizationResponseError)
    return { outcome: 'refused', why: clean(error.error) };
  if (error instanceof oauth.ResponseBodyError) {
    const isOurs = OF_OUR_CLIENT.includes(error.error) || error.status >= 500;
    return { outcome: isOurs ? 'away' : 'refused', why: clean(error.error) };
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return { outcome: 'away', why: `the provider answered ${error.status}` };
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    const isAway = error.code === oauth.RESPONSE_IS_NOT_CONFORM || error.code === oauth.RESPONSE_IS_NOT_JSON;
    return { outcome: isAway ? 'away' : 'refused', why: error.message };
  }
  return { outcome: 'away', why: describeNetwork(error) };
}

/** The provider writes these words; a log line is one line. */
function clean(code: string): string {
  return code.replaceAll(/[^\w.-]/g, '').slice(0, 60);
}

function describeNetwork(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  const inner = cause instanceof Error ? cause : error;
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : `${inner.name}: ${inner.message}`;
}
