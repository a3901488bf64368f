import { objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import { receiveInbound } from './inbound.ts';
import type { OutgoingMessage } from './messages/message-rules.ts';
import type { Platform } from './platform.ts';
import type { BusinessNumber, Template } from './store.ts';
import { buttonsOf } from './templates/template-variables.ts';

/** Recipients that answer by themselves a second after the message. */
export function receiveAutomaticAnswer(
  platform: Platform,
  number: BusinessNumber,
  message: OutgoingMessage,
  template: Template | undefined,
  manner: 'echo' | 'tap' | 'stop',
  index: number,
): void {
  const from = message.recipient;
  const context = { from: number.digits, id: platform.messageIds.idOf(index, from) };
  platform.later(1000, () => {
    const tap = manner === 'tap' ? firstTap(message, template) : undefined;
    const echoed = textOf(objectOf(message.body['text'])['body']) ?? `Got your ${message.type}`;
    const answer = tap ? { message: { ...tap, context } } : { text: manner === 'stop' ? 'STOP' : echoed };
    receiveInbound(platform, { from, phoneNumberId: number.id, ...answer });
  });
}

function firstTap(message: OutgoingMessage, template: Template | undefined): JsonObject | undefined {
  if (template) {
    const buttons = buttonsOf(template.components);
    const position = buttons.findIndex((button) => String(button['type']).toUpperCase() === 'QUICK_REPLY');
    if (position < 0) return undefined;
    const given = objectsOf(objectOf(message.body['template'])['components']).find(
      (component) => Number(component['index']) === position && component['sub_type'] === 'quick_reply',
    );
    const text = textOf(buttons[position]?.['text']) ?? '';
    const payload = textOf(objectsOf(given?.['parameters'])[0]?.['payload']) ?? text;
    return { type: 'button', button: { payload, text } };
  }
  const action = objectOf(objectOf(message.body['interactive'])['action']);
  const reply = objectOf(objectsOf(action['buttons'])[0]?.['reply']);
  if (textOf(reply['id']))
    return { type: 'interactive', interactive: { type: 'button_reply', button_reply: reply } };
  const row = objectsOf(objectsOf(action['sections'])[0]?.['rows'])[0];
  return row ? { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } } : undefined;
}
