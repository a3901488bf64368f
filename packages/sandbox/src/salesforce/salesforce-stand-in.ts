import type { StandIn } from '../core/stand-in.ts';
import { vendorControls } from '../core/vendor-routes.ts';
import { SalesforceAccount } from './salesforce-account.ts';
import { salesforceRoutes } from './salesforce-routes.ts';

export function salesforceStandIn(): StandIn<SalesforceAccount> {
  const account = new SalesforceAccount();
  return { account, routes: salesforceRoutes(account), controls: vendorControls(account) };
}
