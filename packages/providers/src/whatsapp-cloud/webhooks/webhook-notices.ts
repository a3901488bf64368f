import type { ContactSynced, GroupEvent } from '@app/domain/messaging/inbound-event';
import { idOf, isRecord, recordOf, textOf } from '../json-reading.ts';
import { readPhone, readTimestamp } from './webhook-people.ts';
import { managementKey, type WebhookSource } from './webhook-source.ts';

/** One element of `groups[]`; undefined where it does not say what happened. */
export function readGroup(source: WebhookSource, value: unknown): GroupEvent | undefined {
  if (!isRecord(value)) return undefined;
  const change = textOf(value['type'])?.toLowerCase() ?? '';
  if (change === '') return undefined;
  return {
    type: 'group_event',
    dedupKey: managementKey(source, value),
    occurredAt: readTimestamp(value['timestamp']) || source.entryTime,
    account: source.wabaId,
    address: source.phoneNumberId,
    groupId: idOf(value['group_id']),
    change,
    raw: value,
  };
}

/** One element of `state_sync[]`: somebody in the address book of the phone app. Undefined for anything else. */
export function readContactSync(source: WebhookSource, value: unknown): ContactSynced | undefined {
  if (!isRecord(value)) return undefined;
  const action = value['action'];
  const contact = recordOf(value['contact']);
  if (value['type'] !== 'contact' || (action !== 'add' && action !== 'remove')) return undefined;
  return {
    type: 'contact_synced',
    dedupKey: managementKey(source, value),
    occurredAt: readTimestamp(recordOf(value['metadata'])['timestamp']) || source.entryTime,
    account: source.wabaId,
    address: source.phoneNumberId,
    action,
    person: {
      ...{ phone: readPhone(contact['phone_number']), userId: null, parentUserId: null, username: null },
      name: textOf(contact['full_name']) ?? textOf(contact['first_name']),
    },
    raw: value,
  };
}
