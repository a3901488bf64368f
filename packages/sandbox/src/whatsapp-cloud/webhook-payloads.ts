import type { JsonObject } from '../core/json.ts';
import type { People } from './people.ts';
import type { Account, BusinessNumber, Template } from './store.ts';

/** `messages` and its relatives carry no `entry[].time`. */
export function wrapMessagesChange(number: BusinessNumber, field: string, value: JsonObject): JsonObject {
  const whole = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: number.digits, phone_number_id: number.id },
    ...value,
  };
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: number.accountId, changes: [{ value: whole, field }] }],
  };
}

/** Management webhooks carry the time in whole seconds. */
export function wrapAccountChange(account: Account, field: string, value: JsonObject): JsonObject {
  const time = Math.floor(Date.now() / 1000);
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: account.id, time, changes: [{ value, field }] }],
  };
}

export function templateStatusValue(template: Template, event: string, more: JsonObject = {}): JsonObject {
  return {
    event,
    ...templateIdentity(template),
    reason: template.rejectedReason,
    message_template_category: template.category,
    ...more,
  };
}

/** Template ids are integers in webhooks and strings in the API. */
export function templateIdentity(template: Template): JsonObject {
  return {
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language.replace('_', '-'),
  };
}

export function contactOf(people: People, digits: string): JsonObject {
  const name = people.nameOf(digits);
  const username = people.usernameOf(digits);
  const profile = {
    ...(name === undefined ? {} : { name }),
    ...(username === undefined ? {} : { username }),
  };
  return {
    ...(Object.keys(profile).length === 0 ? {} : { profile }),
    ...(people.hidesNumber(digits) ? {} : { wa_id: digits }),
    user_id: people.userIdOf(digits),
  };
}

export function preferenceValue(people: People, digits: string, value: string): JsonObject {
  const contact = contactOf(people, digits);
  const detail =
    value === 'stop'
      ? 'User requested to stop marketing messages'
      : `User requested to ${value} marketing messages`;
  return {
    contacts: [contact],
    user_preferences: [
      {
        ...(contact['wa_id'] === undefined ? {} : { wa_id: digits }),
        user_id: contact['user_id'],
        category: 'marketing_messages',
        value,
        detail,
        timestamp: Math.floor(Date.now() / 1000),
      },
    ],
  };
}
