import type { ContactConnector } from '@app/domain/integrations/contact-connector';
import { createOutgoingCalls } from '@app/providers/calls/outgoing-calls';
import { createSandbox, type Sandbox } from '@app/sandbox/sandbox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contractVendors, type ContractVendor } from './contract-vendors.ts';

const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'] });
let sandbox: Sandbox;
let sandboxUrl: string;
beforeAll(async () => {
  sandbox = createSandbox();
  ({ url: sandboxUrl } = await sandbox.start({ port: 0 }));
});
afterAll(async () => {
  await sandbox.close();
  await calls.close();
});

const { hubspot, salesforce, shopify, mailchimp } = contractVendors;
const vendors: Record<string, ContractVendor> = { hubspot, salesforce, shopify, mailchimp };
beforeEach(() => Object.values(vendors).forEach((vendor) => vendor.clear(sandbox)));

/** Four pages, the last of them in part. */
const PEOPLE = 330;

function open(vendor: ContractVendor): { contacts: ContactConnector; fields: string[] } {
  const kind = vendor.kind({ sandboxUrl });
  const connector = kind.open(
    { ...kind.sandbox },
    { call: (call) => calls.call({ ...call, service: 'reading' }) },
  );
  return {
    contacts: connector.contacts!, // of those above each has them
    fields: kind
      .contacts!.mapping.map(({ theirs }) => theirs)
      .filter((name) => !/opt_out|optout/i.test(name)),
  };
}

/** Reads to the end, and does something behind the first page. Answers with what was read last of each record. */
async function readAll(
  { contacts, fields }: ReturnType<typeof open>,
  cursor: string | null,
  behindFirst: () => void,
): Promise<{ names: Map<string, string | null | undefined>; cursor: string }> {
  const names = new Map<string, string | null | undefined>();
  for (let n = 0, at = cursor; ; n += 1) {
    expect(n).toBeLessThan(50);
    const reply = await contacts.pull(at, fields);
    if (!reply.ok) throw new Error(reply.problem);
    for (const { id, values, isDeleted } of reply.value.records)
      if (!isDeleted) names.set(id, values['name']);
    at = reply.value.cursor;
    if (reply.value.isLast) return { names, cursor: at };
    if (n === 0) behindFirst();
  }
}

test.each(Object.entries(vendors))(
  'who changes at %s while a page is read moves nobody out of the pages that follow',
  async (_name, vendor) => {
    const ids = Array.from({ length: PEOPLE }, (_, n) =>
      vendor.add(sandbox, {
        ...{ name: `Person ${n}`, email: `p${n}@mail.example` },
        phone: `+34612${String(100_000 + n)}`,
      }),
    );
    // All in one bulk import, and then a while ago, as with the records of a real account.
    for (const id of ids) vendor.age(sandbox, id, 3_600_000);
    const account = open(vendor);
    const firstFew = ids.slice(0, 5);
    const change = (to: string, some: readonly string[]) => {
      for (const id of some) vendor.change(sandbox, id, { name: `Person ${to}` });
    };
    const first = await readAll(account, null, () => change('Moved', firstFew));
    expect(ids.filter((id) => !first.names.has(id))).toHaveLength(0);

    change('Second', ids);
    const second = await readAll(account, first.cursor, () => change('Moved', firstFew));
    const missed = ids.filter((id) => !/^Person (Second|Moved)$/.test(second.names.get(id) ?? ''));
    expect(missed).toHaveLength(0);
    // What was read before it changed comes with the next run.
    const third = await readAll(account, second.cursor, () => undefined);
    const last = firstFew.map((id) => third.names.get(id) ?? second.names.get(id));
    expect(last).toEqual(firstFew.map(() => 'Person Moved'));
  },
);

test('members of Mailchimp who were all imported in one second are read by their places, and nobody who moves up is passed over', async () => {
  const ids = Array.from({ length: PEOPLE }, (_, n) =>
    mailchimp.add(sandbox, {
      ...{ name: `Person ${n}`, email: `p${n}@mail.example` },
      phone: `+34612${String(100_000 + n)}`,
    }),
  );
  const imported = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
  for (const id of ids) sandbox.mailchimp.members.get(id)!.changedAt = imported; // added above
  const { names } = await readAll(open(mailchimp), null, () => {
    for (const id of ids.slice(0, 5)) mailchimp.change(sandbox, id, { name: 'Person Moved' });
  });
  expect(ids.filter((id) => !names.has(id))).toHaveLength(0);
});
