import { randomUUID } from 'node:crypto';
import { RecentList } from '../core/recent-list.ts';
import { VendorAccount, type ShownRecord, type VendorBehaviour } from '../core/vendor-account.ts';

export interface ZapierBehaviour extends VendorBehaviour {
  /** A Zap that was switched off: its hook answers 410 from now on. */
  isUnsubscribed: boolean;
}

/** Zaps of one account: what their hooks caught. */
export class ZapierAccount extends VendorAccount<ZapierBehaviour> {
  readonly caught = new RecentList<{ id: string; hook: string; body: unknown; at: string }>(1_000);

  constructor() {
    super({ isUnsubscribed: false });
  }

  catch(hook: string, body: unknown): string {
    const id = randomUUID();
    this.caught.add({ id, hook, body, at: new Date().toISOString() });
    return id;
  }

  override listRecords(): ShownRecord[] {
    return [...this.caught.newestFirst()].map(({ id, hook, body }) => ({
      ...{ id, isDeleted: false },
      values: { hook, body: JSON.stringify(body) },
    }));
  }

  override putRecord(): ShownRecord {
    throw new Error('Hooks catch what is sent to them. Send to /zapier/hooks/catch/4242/sandbox/.');
  }

  override deleteRecord(): void {
    throw new Error('What a hook caught stays.');
  }

  override clearRecords(): void {
    this.caught.clear();
  }

  override reset(): void {
    super.reset();
    this.caught.clear();
  }
}
