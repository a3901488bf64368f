import { isMessageMetric, readReportPeople } from '@app/domain/analytics/report-filter';
import { addDays } from '@app/domain/analytics/report-period';
import type { BindValue } from '../bind-value.ts';
import { campaignOptOutsSql } from './campaign-opt-outs.ts';
import { countrySql, dayStartSql, messageConditions, messageCountsSql } from './message-events.ts';
import { peopleOfFigures, reasonSql } from './people-of-figures.ts';

/** A condition on contacts of `alias`: they are behind a number of a report. */
export function reportPeopleSql(
  text: string,
  bind: BindValue,
  { workspaceId, alias }: { workspaceId: string; alias: string },
): string {
  const people = readReportPeople(text);
  if (people === null) return 'false';
  const { metric, from, to, zone, country, agentId, teamId } = people;
  // Bound where it is used: PostgreSQL takes no value that the statement does not name.
  const period = {
    workspaceId,
    get since() {
      return dayStartSql(from, zone, bind);
    },
    get before() {
      return dayStartSql(addDays(to, 1), zone, bind);
    },
  };
  const ofCountry = country === undefined ? '' : ` AND ${countrySql(country, bind, alias)}`;
  const isIn = (found: string) => `${alias}.id IN (SELECT x.contact_id FROM (${found}) x)${ofCountry}`;
  if (metric === 'optedOut') return isIn(campaignOptOutsSql({ ...people, ...period }, bind));
  if (!isMessageMetric(metric)) return isIn(peopleOfFigures[metric]({ people, period, bind }));
  const reason = metric === 'failed' ? reasonSql(people.reason, bind) : '';
  const messages = messageCountsSql(
    {
      workspaceId,
      since: period.since,
      before: period.before,
      agentId,
      teamId,
      isFailed: metric === 'failed',
    },
    [
      ...(people.templateId === undefined ? [] : (['template_id'] as const)),
      ...(reason === '' ? [] : (['error_code'] as const)),
    ],
    bind,
  );
  const found = `SELECT r.contact_id FROM (${messages}) r WHERE r.${metric} = 1 AND ${messageConditions(people, workspaceId, bind)}${reason}`;
  // IS TRUE keeps it from becoming a join: the planner expects few messages, and would go through all of them for each contact.
  return `(${isIn(found)}) IS TRUE`;
}
