import { createHash } from 'node:crypto';
import type { MessageFilter } from '@app/domain/analytics/report-filter';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { readsMessages, type Report } from './report-source.ts';

const FILTERS = [
  'campaignId',
  'channelId',
  'channel',
  'templateId',
  'country',
] as const satisfies (keyof MessageFilter)[];

/**
 * Whether a report is asked often enough that a connection may keep the plans of its statements. Each filter changes their texts, so only reports with one
 * filter at most do: a connection keeps a few dozen plans. Where messages are read, the plan depends on the period.
 */
export function keepsPlans(report: Report): boolean {
  return !readsMessages(report) && FILTERS.filter((name) => report[name] !== undefined).length <= 1;
}

/** The same scope, whose connection parses and plans each statement once. */
export function keepPlans(scope: ReadScope): ReadScope {
  return {
    ...scope,
    query: (statement, values = []) =>
      scope.query(
        typeof statement === 'string' ? { name: nameOf(statement), text: statement, values } : statement,
      ),
  };
}

/** The same text has the same name, in every process. */
function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
