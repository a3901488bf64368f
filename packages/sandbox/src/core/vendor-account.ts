import { makePerson, type MadePerson } from './made-people.ts';
import { RecentList } from './recent-list.ts';

/** Switches that every vendor has; one may add its own. */
export interface VendorBehaviour {
  latencyMs: number;
  /** So many of the next calls are answered as the vendor answers above its limit. */
  rejectNext: number;
  /** What such an answer asks to wait, in seconds; null: it does not say. */
  retryAfterSeconds: number | null;
  /** So many of the next calls are answered 503, or with a page of HTML. */
  failNext: number;
  htmlNext: number;
  /** Every call is answered 503 until it is switched back. */
  isDown: boolean;
  /** The credentials are refused from now on. */
  isRevoked: boolean;
  /** The clock of the vendor is ahead by so much. */
  clockAheadMs: number;
  /** Where webhooks go; empty: nowhere. */
  webhookUrl: string;
}

const ordinary: VendorBehaviour = {
  ...{ latencyMs: 0, rejectNext: 0, retryAfterSeconds: 1, failNext: 0, htmlNext: 0 },
  ...{ isDown: false, isRevoked: false, clockAheadMs: 0, webhookUrl: '' },
};

/** What the controls show and change of one record. */
export interface ShownRecord {
  id: string;
  isDeleted: boolean;
  values: Readonly<Record<string, string>>;
}

export type VendorFault = 'limit' | 'unavailable' | 'html';

/** What the accounts of all vendors have in common: switches, a clock, a log of calls, and webhooks. */
export abstract class VendorAccount<Behaviour extends VendorBehaviour = VendorBehaviour> {
  behaviour: Behaviour;
  readonly calls = new RecentList<{ at: string; method: string; path: string; status: number }>(1_000);
  readonly #own: Omit<Behaviour, keyof VendorBehaviour>;
  /** While people are added in large numbers, no webhook is posted. */
  protected isQuiet = false;
  #lastTime = 0;
  #made = 0;

  constructor(own: Omit<Behaviour, keyof VendorBehaviour>) {
    this.#own = own;
    this.behaviour = { ...ordinary, ...own } as Behaviour; // both halves
  }

  /** Records of people, as the controls show them. */
  abstract listRecords(): ShownRecord[];
  /** Adds a record, or changes the one with this id. Throws for values that the vendor refuses. */
  abstract putRecord(id: string | null, values: Record<string, string>): ShownRecord;
  abstract deleteRecord(id: string): void;
  abstract clearRecords(): void;
  /** A made person as `putRecord` takes it; absent where the vendor has no people. */
  personOf?(person: MadePerson, number: number): Record<string, string>;

  /** So many people who were not there before. */
  addPeople(count: number): void {
    this.isQuiet = true;
    try {
      for (let n = 0; n < count; n += 1) {
        const number = this.#made++;
        const values = this.personOf?.(makePerson(number), number);
        if (values) this.putRecord(null, values);
      }
    } finally {
      this.isQuiet = false;
    }
  }

  /** What else can be made to happen, by name; answers with what happened. Throws for a name that there is not. */
  happen(name: string, _values: Record<string, string>): object {
    throw new Error(`There is no event "${name}".`);
  }

  reset(): void {
    this.behaviour = { ...ordinary, ...this.#own } as Behaviour; // both halves
    this.calls.clear();
    // A clock that was ahead is set right with the rest.
    this.#lastTime = 0;
    this.#made = 0;
  }

  /** Strictly later than any moment before: two changes never share a millisecond. */
  now(): number {
    this.#lastTime = Math.max(this.#lastTime + 1, Date.now());
    return this.#lastTime + this.behaviour.clockAheadMs;
  }

  takeFault(): VendorFault | null {
    const { behaviour } = this;
    if (behaviour.isDown) return 'unavailable';
    if (behaviour.rejectNext > 0) {
      behaviour.rejectNext -= 1;
      return 'limit';
    }
    if (behaviour.failNext > 0) {
      behaviour.failNext -= 1;
      return 'unavailable';
    }
    if (behaviour.htmlNext > 0) {
      behaviour.htmlNext -= 1;
      return 'html';
    }
    return null;
  }

  /** Posts a webhook in the background, where one is wanted. */
  protected post(body: string, headers: Record<string, string>): void {
    const { webhookUrl } = this.behaviour;
    if (webhookUrl === '' || this.isQuiet) return;
    void fetch(webhookUrl, { method: 'POST', headers, body }).catch(() => undefined);
  }
}

export const isoOf = (at: number): string => new Date(at).toISOString();
