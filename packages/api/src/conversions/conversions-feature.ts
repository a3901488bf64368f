import type { ServerFeature } from '../platform/features/server-feature.ts';
import { conversionsApi } from './conversions-api.ts';
import { conversionsPersonData } from './conversions-person-data.ts';
import { recordLateOrders, shopOrders } from './shop-orders.ts';

export const conversionsFeature = {
  name: 'conversions',
  personData: conversionsPersonData,
  router: { conversions: conversionsApi },
  consumers: [shopOrders],
  upkeep: { seldom: [recordLateOrders] },
} satisfies ServerFeature;
