import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ConnectorWebhooks } from '@app/domain/integrations/connector-kind';
import { parseJson, recordOf, textOf } from '../calls/json-values.ts';

const OLDEST_MS = 300_000;
const MOST_EVENTS = 1_000;

/** Signature v3: developers.hubspot.com, validating requests. */
export const hubspotWebhooks: ConnectorWebhooks = {
  isSigned({ appSecret = '' }, { method, url, headers, body, now }) {
    const signature = headers.get('x-hubspot-signature-v3');
    const timestamp = headers.get('x-hubspot-request-timestamp') ?? '';
    if (appSecret === '' || !signature || !/^\d{10,16}$/.test(timestamp)) return false;
    if (Math.abs(now.getTime() - Number(timestamp)) > OLDEST_MS) return false;
    const expected = createHmac('sha256', appSecret)
      .update(`${method}${url}`)
      .update(body)
      .update(timestamp)
      .digest();
    const given = Buffer.from(signature, 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  },

  readChanged(body) {
    const events = parseJson(new TextDecoder().decode(body));
    if (!Array.isArray(events) || events.length > MOST_EVENTS) return null;
    const ids = events.flatMap((event) => {
      const { subscriptionType, objectId, objectTypeId, newObjectId, mergedObjectIds } = recordOf(event);
      const type = textOf(subscriptionType) ?? '';
      const isContact = type.startsWith('contact.') || (type.startsWith('object.') && objectTypeId === '0-1');
      const merged: unknown[] = Array.isArray(mergedObjectIds) ? mergedObjectIds : [];
      return isContact ? [objectId, newObjectId, ...merged] : [];
    });
    return [
      ...new Set(
        ids.flatMap((id) =>
          typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : (textOf(id) ?? []),
        ),
      ),
    ];
  },
};
