import type { RemoteField, Reply } from '@app/domain/integrations/contact-connector';
import { unreadable } from '../calls/expected-answer.ts';
import { isRecord, recordOf, textOf } from '../calls/json-values.ts';
import { DATA, type SalesforceAsk } from './salesforce-ask.ts';

/** A report stands among the fields of people: `true` for those who are in it. Mapped to a custom field, it makes a segment here. */
const PREFIX = 'report.';
export const isReport = (field: string): boolean => field.startsWith(PREFIX);

/** Of each mapped report, by the name of its field, who is in it. */
export type Members = ReadonlyMap<string, ReadonlySet<string>>;

/** Reports name people by the first 15 characters of their ids, or by all 18. */
export const shortId = (id: string): string => id.slice(0, 15);

/** The reports that the user of the app opened lately, at most 200; none where reports are not shown to it. */
export async function listReports(ask: SalesforceAsk): Promise<Reply<RemoteField[]>> {
  const reply = await ask('GET', `${DATA}/analytics/reports`);
  if (!reply.ok)
    return reply.problem === 'account_unknown' || reply.problem === 'permission_missing'
      ? { ok: true, value: [] }
      : reply;
  const { body: listed } = reply.value;
  if (!Array.isArray(listed)) return unreadable;
  return {
    ok: true,
    value: listed.map(recordOf).flatMap(({ id, name }) => {
      const key = textOf(id);
      if (key === null || !/^[A-Za-z0-9]{15,18}$/.test(key)) return [];
      return [{ name: `${PREFIX}${key}`, label: `Report: ${textOf(name) ?? key}`, isReadOnly: true }];
    }),
  };
}

/** Runs the mapped reports. One with more rows than the vendor shows is refused: who is in the rest is not known. */
export async function readMembers(ask: SalesforceAsk, fields: readonly string[]): Promise<Reply<Members>> {
  const members = new Map<string, ReadonlySet<string>>();
  for (const field of fields.filter(isReport)) {
    const id = field.slice(PREFIX.length);
    const reply = await ask('GET', `${DATA}/analytics/reports/${encodeURIComponent(id)}?includeDetails=true`);
    if (!reply.ok)
      return reply.problem === 'account_unknown' || reply.problem === 'service_rejected'
        ? { ...reply, problem: 'permission_missing', detail: `Report ${id}: ${reply.detail ?? ''}` }
        : reply;
    const { allData, factMap, reportMetadata } = recordOf(reply.value.body);
    if (!isRecord(factMap)) return unreadable;
    const name = textOf(recordOf(reportMetadata)['name']) ?? id;
    if (allData === false)
      return {
        ...{ ok: false, problem: 'service_rejected', retryAfterMs: null },
        detail: `Report “${name}” has more than 2,000 rows.`,
      };
    members.set(field, new Set(peopleIn(factMap)));
  }
  return { ok: true, value: members };
}

/** Contacts and leads that any cell names. */
function peopleIn(factMap: unknown): string[] {
  return Object.values(recordOf(factMap)).flatMap((part) => {
    const { rows } = recordOf(part);
    return (Array.isArray(rows) ? rows : []).flatMap((row) => {
      const { dataCells: cells } = recordOf(row);
      return (Array.isArray(cells) ? cells : []).flatMap((cell) => {
        const value = textOf(recordOf(cell)['value']);
        return value !== null && /^(003|00Q)[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/.test(value)
          ? [shortId(value)]
          : [];
      });
    });
  });
}

/** Who came or went since the last run; nobody of a report that was not read before, because all people were read with it. */
export function changedMembers(
  members: Members,
  before: Readonly<Record<string, readonly string[]>>,
): string[] {
  const changed = new Set<string>();
  for (const [field, now] of members) {
    const known = before[field];
    if (!known) continue;
    const then = new Set(known);
    for (const id of now) if (!then.has(id)) changed.add(id);
    for (const id of then) if (!now.has(id)) changed.add(id);
  }
  return [...changed];
}
