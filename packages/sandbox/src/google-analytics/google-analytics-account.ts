import { RecentList } from '../core/recent-list.ts';
import { VendorAccount, type ShownRecord } from '../core/vendor-account.ts';

export const GOOGLE_ANALYTICS_PROPERTY = { id: 'G-SANDBOX01', secret: 'sandbox-google-analytics-secret' };

export type CollectedEvent = {
  name: string;
  clientId: string;
  userId: string | null;
  at: string;
  params: Readonly<Record<string, unknown>>;
};

/** One property: the events that it counted. */
export class GoogleAnalyticsAccount extends VendorAccount {
  readonly events = new RecentList<CollectedEvent>(5_000);

  constructor() {
    super({});
  }

  override listRecords(): ShownRecord[] {
    return [...this.events.newestFirst()].map(({ name, clientId, userId, at, params }, place) => ({
      ...{ id: String(this.events.total - place), isDeleted: false },
      values: { event: name, client_id: clientId, user_id: userId ?? '', at, params: JSON.stringify(params) },
    }));
  }

  override putRecord(): ShownRecord {
    throw new Error('Events come over the Measurement Protocol. Send to /google_analytics/mp/collect.');
  }

  override deleteRecord(): void {
    throw new Error('What was counted stays.');
  }

  override clearRecords(): void {
    this.events.clear();
  }

  override reset(): void {
    super.reset();
    this.events.clear();
  }
}
