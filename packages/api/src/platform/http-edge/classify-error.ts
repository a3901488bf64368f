import type { ErrorCode } from '@app/contracts/errors';
import { databaseTrouble } from '@app/database/query-error';
import { ORPCError } from '@orpc/server';

const codes = {
  busy: 'server_busy',
  away: 'database_away',
  full: 'database_full',
  read_only: 'database_read_only',
} as const satisfies Record<string, ErrorCode>;

/** What the caller hears of an error that is no refusal: whether it passes by itself, or that they are signed out or no member by now, and nothing else. */
export function classifyError(
  error: unknown,
): 'internal' | 'signed_out' | 'workspace_not_found' | (typeof codes)[keyof typeof codes] {
  if (
    error instanceof ORPCError &&
    (error.code === codes.busy || error.code === 'signed_out' || error.code === 'workspace_not_found')
  )
    return error.code;
  const trouble = databaseTrouble(error);
  return trouble ? codes[trouble] : 'internal';
}
