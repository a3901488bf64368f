import type { InboundEvent, NumberEvent } from './inbound-event.ts';

/** Whether the platform says that it finds a number worse than before. */
export function isQualityDrop(event: InboundEvent): event is NumberEvent {
  return event.type === 'number_event' && event.severity !== 'information' && event.field.includes('quality');
}
