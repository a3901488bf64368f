import { readReportPeople } from '@app/domain/analytics/report-filter';
import { z } from 'zod';

/** What happened, the first and the last day, their time zone and what the report is narrowed to, with semicolons between. */
export const reportPeople = z
  .string()
  .max(500)
  .refine((text) => readReportPeople(text) !== null, 'This names no people of a report.');
