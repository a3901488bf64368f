/** The headers that every Graph answer has. */
export function graphHeaders(version: string, traceId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=UTF-8',
    'facebook-api-version': version,
    'x-fb-trace-id': traceId,
    'x-fb-request-id': traceId,
    'x-app-usage': '{"call_count":1,"total_cputime":1,"total_time":1}',
  };
}
