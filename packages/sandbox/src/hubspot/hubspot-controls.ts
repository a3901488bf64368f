import { Hono } from 'hono';
import { objectOf, objectsOf, textOf } from '../core/json.ts';
import { mountPeople } from '../core/made-people.ts';
import { mountSwitches } from '../core/mount-switches.ts';
import type { HubspotAccount, HubspotContact } from './hubspot-account.ts';
import { HubspotError } from './hubspot-error.ts';

/** `/_sandbox/hubspot/*`: records to change by hand, and switches. */
export function hubspotControls(account: HubspotAccount): Hono {
  const app = new Hono();
  app.onError((error, c) => c.json({ error: { message: error.message } }, 400));
  app.get('/records', (c) =>
    c.json({ records: [...account.contacts.values()].map((contact) => show(account, contact)) }),
  );
  // `{ records: [{ id?, properties, archived? }] }`: what has an id is changed, the rest is added.
  app.put('/records', async (c) => {
    const body = objectOf(await c.req.json().catch(() => undefined));
    const changed = objectsOf(body['records']).map(({ id, properties, archived }) => {
      const values = Object.fromEntries(
        Object.entries(objectOf(properties)).map(([name, value]) => [name, textOf(value) ?? '']),
      );
      const known = account.contacts.get(textOf(id) ?? '');
      if (id !== undefined && !known)
        throw new HubspotError(404, 'NOT_FOUND', `There is no record ${textOf(id)}`);
      const contact = known ?? account.create(values);
      if (known && Object.keys(values).length > 0) account.update(known, values);
      if (archived === true) account.archive(contact);
      return show(account, contact);
    });
    return c.json({ records: changed });
  });
  app.delete('/records', (c) => {
    account.contacts.clear();
    account.activities = [];
    return c.json({ success: true });
  });
  app.get('/activities', (c) => c.json({ activities: account.activities }));
  mountSwitches(app, account);
  mountPeople(app, account);
  app.get('/calls', (c) => c.json({ calls: [...account.calls.newestFirst()], total: account.calls.total }));
  return app;
}

function show(account: HubspotAccount, contact: HubspotContact) {
  const notes = account.activities
    .filter(({ contactIds }) => contactIds.includes(contact.id))
    .map(({ properties }) => properties['hs_note_body'] ?? '');
  return {
    ...{ id: contact.id, archived: contact.archived, properties: account.read(contact) },
    ...(notes.length > 0 && { notes }),
  };
}
