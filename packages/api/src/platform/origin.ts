export type Origin = { ipAddress: string | null; userAgent: string | null };

/** Longer names of a browser are nothing that anybody reads, and callers may write what they like. */
const LONGEST_USER_AGENT = 500;

/** Where a request comes from, as far as a request tells and rows keep. */
export function describeOrigin(request: Request, ipAddress: string | null): Origin {
  return { ipAddress, userAgent: request.headers.get('user-agent')?.slice(0, LONGEST_USER_AGENT) ?? null };
}
