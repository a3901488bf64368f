import type { StandIn } from '../core/stand-in.ts';
import { vendorControls } from '../core/vendor-routes.ts';
import { ShopifyAccount } from './shopify-account.ts';
import { shopifyRoutes } from './shopify-routes.ts';

export function shopifyStandIn(): StandIn<ShopifyAccount> {
  const account = new ShopifyAccount();
  const events = [
    { name: 'order', text: 'A customer orders', value: 'customerId' },
    { name: 'pay', text: 'An order is paid', value: 'id' },
    { name: 'fulfill', text: 'An order is shipped', value: 'id' },
    { name: 'cancel', text: 'An order is cancelled', value: 'id' },
    { name: 'checkout', text: 'A customer begins a checkout', value: 'customerId' },
    { name: 'complete', text: 'A checkout becomes an order', value: 'id' },
  ];
  return { account, events, routes: shopifyRoutes(account), controls: vendorControls(account) };
}
