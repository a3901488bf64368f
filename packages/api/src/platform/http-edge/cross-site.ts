const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True for a changing request that a browser sends with our cookie from a page of another site. Callers that
 * are no browsers send neither header and bring no cookie that they did not ask for.
 */
export function isCrossSite(request: Request, publicUrl: string): boolean {
  if (SAFE_METHODS.has(request.method)) return false;
  const origin = request.headers.get('origin');
  // A neighbour under the same domain is another site too: our cookie travels with its requests.
  if (!origin) return ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '');
  const ownOrigins = [new URL(publicUrl).origin, new URL(request.url).origin];
  return !ownOrigins.includes(origin) && new URL(request.url).host !== hostOf(origin);
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
