import { readSignedId, signId } from '../../platform/account/signed-id.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';

export const REPORTS_PATH = '/reports';
const USE = 'report link';

/** Where a link leads: nothing but this address opens it, and no table holds it. */
export function reportLinkUrl(
  { secrets, publicUrl }: Pick<ApiDependencies, 'secrets' | 'publicUrl'>,
  id: string,
): string {
  return `${publicUrl}${REPORTS_PATH}/${signId(secrets, USE, id)}`;
}

/** The id of the link; null for a guess, which costs no query. */
export function readReportLink({ secrets }: Pick<ApiDependencies, 'secrets'>, token: string): string | null {
  return readSignedId(secrets, USE, token);
}
