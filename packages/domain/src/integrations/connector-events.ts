const order = ['order_name', 'order_total', 'order_currency', 'order_status', 'order_url', 'order_items'];
const checkout = ['checkout_url', 'checkout_total', 'checkout_currency', 'checkout_items'];

const booking = [
  ...['meeting_name', 'meeting_date', 'meeting_time', 'meeting_start', 'meeting_end', 'meeting_place'],
  ...['cancel_url', 'reschedule_url'],
];

type EventType = { values: readonly string[] };

/** What can happen at a service to one person, with the values that it brings: one line per kind. */
const byKind: Readonly<Record<string, Readonly<Record<string, EventType>>>> = {
  shopify: {
    ...all(['order_created', 'order_paid', 'order_fulfilled', 'order_cancelled'], order),
    ...all(['checkout_started', 'checkout_abandoned'], checkout),
  },
  calendly: all(
    ['booking_created', 'booking_cancelled', 'booking_moved', 'booking_tomorrow', 'booking_soon'],
    booking,
  ),
};

/** `shopify.order_created` and so on: for ever, because workflows are stored with them. */
export const connectorEventNames: readonly string[] = Object.entries(byKind).flatMap(([kind, events]) =>
  Object.keys(events).map((event) => `${kind}.${event}`),
);

/** The names of the values that an event brings; none for one that there is not. */
export function valuesOfConnectorEvent(name: string): readonly string[] {
  const [kind = '', event = ''] = name.split('.');
  return byKind[kind]?.[event]?.values ?? [];
}

function all(events: readonly string[], values: readonly string[]): Record<string, EventType> {
  return Object.fromEntries(events.map((event) => [event, { values }]));
}
