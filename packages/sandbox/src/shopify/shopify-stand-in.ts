import type { StandIn } from '../core/stand-in.ts';
import { vendorControls } from '../core/vendor-routes.ts';
import { ShopifyAccount } from './shopify-account.ts';
import { shopifyRoutes } from './shopify-routes.ts';

export function shopifyStandIn(): StandIn<ShopifyAccount> {
  const account = new ShopifyAccount();
  return { account, routes: shopifyRoutes(account), controls: vendorControls(account) };
}
