import type { StandIn } from '../core/stand-in.ts';
import { HubspotAccount } from './hubspot-account.ts';
import { hubspotControls } from './hubspot-controls.ts';
import { hubspotRoutes } from './hubspot-routes.ts';

export function hubspotStandIn(): StandIn<HubspotAccount> {
  const account = new HubspotAccount();
  return { account, title: 'HubSpot', routes: hubspotRoutes(account), controls: hubspotControls(account) };
}
