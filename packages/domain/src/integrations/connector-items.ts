import type { Reply } from './contact-connector.ts';

/** What services know of a person beside who they are; the panel of a contact shows them. */
export const connectorItemTypes = ['order', 'checkout', 'booking'] as const;
export type ConnectorItemType = (typeof connectorItemTypes)[number];

export const connectorItemStatuses = [
  ...['open', 'paid', 'fulfilled', 'completed', 'cancelled', 'refunded', 'booked', 'moved'],
] as const;
export type ConnectorItemStatus = (typeof connectorItemStatuses)[number];

/** One order, checkout or booking as the service has it now. Hearing of it twice, late or out of order does no harm. */
export type ConnectorItem = {
  type: ConnectorItemType;
  /** The vendor's id. */
  id: string;
  /** Whose it is. `externalId` is the id of the vendor's contact, where it has one. */
  person: { externalId: string | null; phone: string | null; email: string | null; name: string | null };
  /** The vendor's own words, such as `#1001`. */
  title: string;
  status: ConnectorItemStatus;
  /** A decimal number with its currency, such as `42.50` and `EUR`. */
  total: { amount: string; currency: string } | null;
  /** Where it can be seen, or a checkout gone on with. */
  url: string | null;
  /** When it was made, by the vendor's clock. */
  at: Date;
  /** Of a booking. */
  startsAt: Date | null;
  /** When it was changed last: what is older than what is known is no news. */
  updatedAt: Date;
  /** What has happened to it so far, by names of `connectorEvents`. Each starts workflows once. */
  events: readonly string[];
  /** What happens when nothing changes until `at`, unless that is noticed after `until`. */
  due: readonly { event: string; at: Date; until: Date }[];
  /** What workflows find as `{{trigger.<name>}}`. */
  values: Readonly<Record<string, string>>;
  /** The checkout that this order completed, by its id. */
  completes: string | null;
};

/** Orders and the like of a connected account. No call throws for what the vendor says, and each may be repeated. */
export type ItemConnector = {
  /** The next page of changes; null as the cursor reads what is recent. At most 100. */
  pull(
    cursor: string | null,
    now: Date,
  ): Promise<Reply<{ items: readonly ConnectorItem[]; cursor: string; isLast: boolean }>>;
};
