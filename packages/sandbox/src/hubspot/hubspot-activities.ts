import type { Context, Hono } from 'hono';
import { listOf, objectOf, objectsOf, parseJson, textOf, type JsonObject } from '../core/json.ts';
import { isoOf, type HubspotAccount, type HubspotActivity } from './hubspot-account.ts';
import { HubspotError, invalid } from './hubspot-error.ts';

const NOTE_TO_CONTACT = 202;
const PROPERTIES = {
  notes: ['hs_timestamp', 'hs_note_body', 'hubspot_owner_id', 'hs_attachment_ids'],
  tasks: ['hs_timestamp', 'hs_task_subject', 'hs_task_body', 'hs_task_status', 'hs_task_type'],
} as const;

/** Notes on the timelines of contacts, and tasks. */
export function mountActivities(app: Hono, account: HubspotAccount): void {
  for (const type of ['notes', 'tasks'] as const) {
    const path = `/crm/objects/2026-09/${type}`;
    app.post(path, async (c) => {
      const body = await bodyOf(c);
      const properties = Object.fromEntries(
        Object.entries(objectOf(body['properties'])).map(([name, value]) => [name, textOf(value) ?? '']),
      );
      const unknown = Object.keys(properties).find((name) => !PROPERTIES[type].some((one) => one === name));
      if (unknown !== undefined) throw invalid(`Property "${unknown}" does not exist`);
      const at = momentOf(properties['hs_timestamp'] ?? '');
      if (at === null) throw invalid('hs_timestamp is required');
      const contactIds = objectsOf(body['associations']).map((one) => contactOf(account, type, one));
      const made = account.addActivity({
        type,
        contactIds,
        properties: { ...properties, hs_timestamp: isoOf(at) },
      });
      return c.json(describe(made, Object.keys(made.properties)), 201);
    });
    app.post(`${path}/batch/read`, async (c) => {
      const body = await bodyOf(c);
      const results = objectsOf(body['inputs']).flatMap(({ id }) => {
        const found = account.activities.find((one) => one.type === type && one.id === textOf(id));
        return found ? [describe(found, namesOf(body))] : [];
      });
      return c.json({ status: 'COMPLETE', results });
    });
    app.post(`${path}/search`, async (c) => {
      const body = await bodyOf(c);
      const filters = objectsOf(body['filterGroups']).flatMap((group) => objectsOf(group['filters']));
      const found = account.activities.filter(
        (one) => one.type === type && filters.every((filter) => fits(one, filter)),
      );
      const results = found.slice(0, Number(body['limit'] ?? 10)).map((one) => describe(one, namesOf(body)));
      return c.json({ total: found.length, results });
    });
  }
}

function contactOf(account: HubspotAccount, type: HubspotActivity['type'], association: JsonObject): string {
  const id = textOf(objectOf(association['to'])['id']) ?? '';
  const contact = account.contacts.get(id);
  if (!contact || contact.archived)
    throw new HubspotError(404, 'OBJECT_NOT_FOUND', `CONTACT=${id} is not valid`);
  const isNamed = objectsOf(association['types']).some(
    (one) => type === 'tasks' || one['associationTypeId'] === NOTE_TO_CONTACT,
  );
  if (!isNamed) throw invalid('The association types are not valid for notes and contacts');
  return id;
}

function fits({ contactIds, properties }: HubspotActivity, filter: JsonObject): boolean {
  const wanted = textOf(filter['value']) ?? '';
  if (filter['operator'] !== 'EQ') throw invalid(`operator ${String(filter['operator'])} is not known`);
  const name = textOf(filter['propertyName']) ?? '';
  if (name === 'associations.contact') return contactIds.includes(wanted);
  if (name === 'hs_timestamp') return momentOf(wanted) === momentOf(properties['hs_timestamp'] ?? '');
  return properties[name] === wanted;
}

/** ISO 8601, or milliseconds. */
function momentOf(text: string): number | null {
  const at = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

function describe({ id, createdAt, properties }: HubspotActivity, wanted: readonly string[]): JsonObject {
  const at = isoOf(createdAt);
  const all: Record<string, string> = { ...properties, hs_createdate: at, hs_object_id: id };
  const names = [...new Set([...wanted, 'hs_createdate', 'hs_object_id'])];
  return {
    ...{ id, createdAt: at, updatedAt: at, archived: false },
    properties: Object.fromEntries(names.map((name) => [name, all[name] ?? null])),
  };
}

const namesOf = (body: JsonObject): string[] =>
  listOf(body['properties']).flatMap((name) => textOf(name) ?? []);

async function bodyOf(c: Context): Promise<JsonObject> {
  return objectOf(parseJson(await c.req.text()));
}
