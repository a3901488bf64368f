import { resetLinkMail } from './auth/reset-link-mail.ts';
import { enquiryMail } from './landing/enquiry-mail.ts';
import type { RunnableJobKind } from './platform/jobs/define-job.ts';
import { templateSync, workspaceTemplateSync } from './templates/sync-all-templates.ts';
import { contactUpkeep, pruning } from './upkeep.ts';

/** What somebody leaves for later. */
export const leftJobs: readonly RunnableJobKind[] = [resetLinkMail, enquiryMail, workspaceTemplateSync];
/** What begins by itself. */
const schedules: readonly RunnableJobKind[] = [templateSync, contactUpkeep, pruning];

/** Everything that is done in the background, one line each above. Of a kind that goes, a migration takes out the jobs. */
export const jobKinds: readonly RunnableJobKind[] = [...leftJobs, ...schedules];
