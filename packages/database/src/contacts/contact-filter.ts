import type { AudienceFilter } from '@app/domain/delivery/audience';
import { NO_REASON } from '@app/domain/campaigns/recipient-outcome';
import { reportPeopleSql } from '../analytics/report-people.ts';
import type { BindValue } from '../bind-value.ts';
import { outcomeCodeSql, outcomeSql } from '../campaigns/recipient-outcome.ts';
import { segmentSql } from '../segments/segment-filter.ts';
import { languageCondition } from './language-condition.ts';
import { searchCondition } from './search-condition.ts';

/**
 * The one meaning of a contact filter, for the list, for counts and for the audience of a campaign: a condition on
 * the rows of `alias`, all of the workspace that the caller names. Text is bound, never written into the statement.
 */
export function contactFilterSql(
  { search, tags, status, language, rules, importId, report, ...results }: AudienceFilter,
  bind: BindValue,
  { workspaceId, alias = 'c' }: { workspaceId: string; alias?: string },
): string {
  const conditions: string[] = [];
  const term = search?.trim();
  if (term) conditions.push(searchCondition(term, bind, `${alias}.search_text`));
  if (tags && tags.length > 0) conditions.push(`${alias}.tags && ${bind(tags, 'text[]')}`);
  if (status) conditions.push(`${alias}.status = ${bind(status, 'text')}`);
  if (language) conditions.push(languageCondition(language, bind, alias));
  if (importId) conditions.push(importedCondition(bind(importId, 'uuid'), alias));
  const { campaignId, outcome, reason } = results;
  if (campaignId)
    conditions.push(recipientCondition({ campaignId, outcome, reason }, bind, { workspaceId, alias }));
  // An outcome of no campaign is nobody's, and never everybody.
  else if (outcome || reason) conditions.push('false');
  if (report) conditions.push(reportPeopleSql(report, bind, { workspaceId, alias }));
  if (rules) conditions.push(segmentSql(rules, bind, { workspaceId, alias }));
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

/** Merges have moved its rows to the contact that stayed. */
function recipientCondition(
  { campaignId, outcome, reason }: { campaignId: string } & Pick<AudienceFilter, 'outcome' | 'reason'>,
  bind: BindValue,
  { workspaceId, alias }: { workspaceId: string; alias: string },
): string {
  const workspace = bind(workspaceId, 'uuid');
  return `${alias}.id IN (SELECT r.contact_id FROM delivery_recipients r JOIN delivery_runs run ON run.run_no = r.run_no
    WHERE r.run_no = (SELECT k.run_no FROM campaigns k WHERE k.id = ${bind(campaignId, 'uuid')} AND k.workspace_id = ${workspace})
      AND r.workspace_id = ${workspace}
      ${outcome ? `AND ${outcomeSql} = ${bind(outcome, 'text')}` : ''}
      ${reason ? `AND coalesce(${outcomeCodeSql}, '${NO_REASON}') = ${bind(reason, 'text')}` : ''})`;
}

/** Those that it made, and those that it found here and went over. */
function importedCondition(importId: string, alias: string): string {
  return `(${alias}.import_id = ${importId}
    OR ${alias}.id IN (SELECT contact_id FROM contact_import_changes WHERE import_id = ${importId}))`;
}
