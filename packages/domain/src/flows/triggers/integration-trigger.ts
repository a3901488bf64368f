import { connectorEventNames, valuesOfConnectorEvent } from '../../integrations/connector-events.ts';
import { textOf } from '../step-type.ts';
import type { TriggerType } from '../trigger-type.ts';

/** Something happened at a connected service: an order was paid, a meeting was booked. */
export const integrationEvent: TriggerType = {
  ...{ type: 'integration_event', kinds: ['workflow'], isAwaitable: true },
  fields: [{ name: 'event', kind: 'choice', isRequired: true, options: connectorEventNames }],
  values: (config) => ['event', ...valuesOfConnectorEvent(textOf(config, 'event'))],
  matches: (config, { event }) => typeof event === 'string' && event === textOf(config, 'event'),
};
