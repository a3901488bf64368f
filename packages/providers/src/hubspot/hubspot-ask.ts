import type { askService } from '../calls/ask-service.ts';

/** HubSpot supports a dated version for 18 months (developers.hubspot.com, API versioning). */
export const VERSION = '2026-09';

/** One call of the account. `mayRepeat`: the same request twice does no harm. */
export type HubspotAsk = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  mayRepeat?: boolean,
) => ReturnType<typeof askService>;
