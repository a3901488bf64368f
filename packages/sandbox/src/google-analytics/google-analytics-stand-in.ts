import { objectOf, objectsOf, parseJson } from '../core/json.ts';
import type { StandIn } from '../core/stand-in.ts';
import { vendorControls, vendorRoutes } from '../core/vendor-routes.ts';
import { GOOGLE_ANALYTICS_PROPERTY, GoogleAnalyticsAccount } from './google-analytics-account.ts';
import { validateMeasurement } from './validate-measurement.ts';

/** The Measurement Protocol under `/google_analytics`. To what it counts and to what it does not it says the same: 204. */
export function googleAnalyticsStandIn(): StandIn<GoogleAnalyticsAccount> {
  const account = new GoogleAnalyticsAccount();
  const routes = vendorRoutes(account, {
    limit: (c, seconds) => {
      if (seconds !== null) c.header('retry-after', String(seconds));
      return c.body(null, 429);
    },
    unavailable: (c) => c.body(null, 503),
  });
  routes.post('/mp/collect', async (c) => {
    const body = parseJson(await c.req.text());
    const isOurs =
      c.req.query('measurement_id') === GOOGLE_ANALYTICS_PROPERTY.id &&
      c.req.query('api_secret') === GOOGLE_ANALYTICS_PROPERTY.secret;
    if (isOurs && !account.behaviour.isRevoked && validateMeasurement(body, account.now()).length === 0) {
      const read = objectOf(body);
      const at = new Date(Number(read['timestamp_micros'] ?? account.now() * 1_000) / 1_000).toISOString();
      for (const { name, params } of objectsOf(read['events']))
        account.events.add({
          ...{ name: String(name), at, params: objectOf(params), clientId: String(read['client_id']) },
          userId: typeof read['user_id'] === 'string' ? read['user_id'] : null,
        });
    }
    return c.body(null, 204);
  });
  routes.post('/debug/mp/collect', async (c) =>
    c.json({ validationMessages: validateMeasurement(parseJson(await c.req.text()), account.now()) }),
  );
  return { account, title: 'Google Analytics', routes, controls: vendorControls(account) };
}
