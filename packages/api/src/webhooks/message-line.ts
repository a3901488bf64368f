import type { InboundContent } from '@app/domain/messaging/inbound-event';
import { storableText } from '@app/domain/text/storable-text';

/** One line for lists and previews; the whole message stays in the payload. */
export function describeContent(content: InboundContent): string {
  return storableText(lineOf(content));
}

function lineOf(content: InboundContent): string {
  switch (content.type) {
    case 'text':
      return content.body;
    case 'media':
      return content.caption ?? content.filename ?? `[${content.kind}]`;
    case 'button_reply':
    case 'list_reply':
      return content.title;
    case 'reaction':
      return content.emoji;
    case 'location':
      return content.name ?? `[location] ${content.latitude}, ${content.longitude}`;
    case 'edit':
      return lineOf(content.content);
    case 'flow_reply':
      return content.text ?? '[form]';
    case 'order':
      return content.text || '[order]';
    case 'call':
      return content.outcome === 'missed' ? '[missed call]' : '[call]';
    default:
      return `[${content.type}]`;
  }
}
