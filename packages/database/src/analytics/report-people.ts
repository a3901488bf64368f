import { readReportPeople } from '@app/domain/analytics/report-filter';
import { addDays } from '@app/domain/analytics/report-period';
import type { BindValue } from '../bind-value.ts';
import { campaignOptOutsSql } from './campaign-opt-outs.ts';
import { countrySql, dayStartSql, messageEventsSql, reportConditions } from './message-events.ts';

/** A condition on contacts of `alias`: to one of their messages happened what a number of a report counts. */
export function reportPeopleSql(
  text: string,
  bind: BindValue,
  { workspaceId, alias }: { workspaceId: string; alias: string },
): string {
  const people = readReportPeople(text);
  if (people === null) return 'false';
  const { metric, from, to, zone, country, agentId, teamId } = people;
  const since = dayStartSql(from, zone, bind);
  const before = dayStartSql(addDays(to, 1), zone, bind);
  if (metric === 'optedOut') {
    const found = campaignOptOutsSql({ ...people, workspaceId, since, before }, bind);
    const hasOptedOut = `${alias}.id IN (SELECT o.contact_id FROM (${found}) o)`;
    return country === undefined ? hasOptedOut : `${hasOptedOut} AND ${countrySql(country, bind, alias)}`;
  }
  const events = messageEventsSql({ workspaceId, since, agentId, teamId }, bind);
  const conditions = reportConditions(people, { since, before, workspaceId }, bind);
  const isThere = `${alias}.id IN (SELECT r.contact_id FROM (${events}) r WHERE r.${metric} = 1 AND ${conditions})`;
  return country === undefined ? isThere : `${isThere} AND ${countrySql(country, bind, alias)}`;
}
