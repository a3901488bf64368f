import { advisoryLocks } from '@app/database/advisory-locks';
import { templates } from '@app/database/templates/templates-tables';
import type { SubmittedTemplate } from '@app/domain/channels/open-channel';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import type { ChannelTemplateDraft } from '@app/domain/messaging/channel-template';
import { codeOfRejection } from '@app/domain/messaging/delivery-error-messages';
import { derivePlatformName } from '@app/domain/templates/platform-name';
import { nextStatus, type ConnectionKind } from '@app/domain/templates/platform-status';
import { toChannelDraft } from '@app/domain/templates/template-content';
import { and, eq } from 'drizzle-orm';
import { uploadHeaderFile } from '../sending/header-file.ts';
import type { ApiDependencies, RequestScopes } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { changeByPlatform, changeTemplate } from './change-template.ts';
import { lockTemplate, type StoredTemplate } from './templates-queries.ts';

/** Each step has a transaction of its own: what is asked of the platform lies between them. */
export type TemplateDependencies = RequestScopes & Pick<ApiDependencies, 'templatePlatform' | 'mediaStore'>;

export type SubmitOutcome =
  | { outcome: 'submitted' }
  | Extract<PlatformAnswer<null>, { outcome: 'refused' }>
  | { outcome: 'unreachable' }
  | { outcome: 'gone' }
  | { outcome: 'changed' };

type Submission = {
  templateId: string;
  channelId: string;
  kind: Exclude<ConnectionKind, 'none'>;
  /**
   * Named where a caller asks for the review of this version: emits `template.submitted`, and ends with `changed` if the template
   * has another version by now. Without it the product keeps the sandbox in line, which is no event of its own.
   */
  version?: number;
};

/**
 * Hands a stored template to the platform and keeps what it answers. May be repeated at any time, also after a crash in
 * the middle: a template that reached the platform is found again there by name and language.
 */
export async function submitTemplate(
  dependencies: TemplateDependencies,
  submission: Submission,
): Promise<SubmitOutcome> {
  const { templatePlatform } = dependencies;
  const { channelId, kind } = submission;
  const marked = await dependencies.change((scope) => markPending(scope, submission));
  if (typeof marked === 'string') return { outcome: marked };
  const { before, template } = marked;
  // What fails on the way, such as the store of files, leaves the template as it was, so that it can be submitted again.
  const asked = <Answer>(answer: Promise<Answer>) =>
    answer.catch(async (error: unknown) => {
      await storeAnswer(dependencies, submission, before, { outcome: 'unreachable' });
      throw error;
    });
  const sample = await asked(uploadHeaderFile(dependencies, channelId, template));
  if (sample.outcome !== 'done') {
    await storeAnswer(dependencies, submission, before, sample);
    return sample;
  }
  const draft = toChannelDraft(template, sample.value ?? undefined);
  const answer = await asked(templatePlatform.submit(channelId, draft, template.platformTemplateId));
  // The sandbox keeps the platform's rule of one edit a day; there the text simply becomes a new template.
  const isEditRefused = answer.outcome === 'refused' && template.platformTemplateId !== null;
  if (kind === 'sandbox' && isEditRefused)
    return asked(submitAnew(dependencies, submission, before, template, draft));
  await storeAnswer(dependencies, submission, before, answer);
  return answer.outcome === 'done' ? { outcome: 'submitted' } : answer;
}

async function submitAnew(
  dependencies: TemplateDependencies,
  submission: Submission,
  before: StoredTemplate,
  refused: StoredTemplate,
  draft: ChannelTemplateDraft,
): Promise<SubmitOutcome> {
  const { templatePlatform } = dependencies;
  const { channelId } = submission;
  const renamed = await dependencies.change(async (scope) =>
    changeTemplate(scope, refused.id, {
      platformName: await findFreeName(scope, refused, refused.platformName),
      platformTemplateId: null,
    }),
  );
  if (!renamed) return { outcome: 'gone' };
  const name = renamed.platformName ?? draft.name;
  const answer = await templatePlatform.submit(channelId, { ...draft, name }, null);
  await storeAnswer(dependencies, submission, before, answer);
  if (answer.outcome !== 'done') return answer;
  if (refused.platformName && refused.platformTemplateId)
    await templatePlatform.remove(channelId, refused.platformName, refused.platformTemplateId);
  return { outcome: 'submitted' };
}

/**
 * Gives the template its name on the platform, once, and calls it pending before anything leaves: the review may end,
 * and its webhook arrive, before the platform has answered us.
 */
async function markPending(
  scope: WorkspaceScope,
  { templateId, kind, version }: Submission,
): Promise<{ before: StoredTemplate; template: StoredTemplate } | 'gone' | 'changed'> {
  // Two templates of one name would otherwise choose the same free name at the same time.
  await scope.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1::text, ${advisoryLocks.templateSubmission}))`,
    [scope.workspaceId],
  );
  const before = await lockTemplate(scope, templateId);
  if (!before) return 'gone';
  if (version !== undefined && before.version !== version) return 'changed';
  const template = await changeTemplate(scope, templateId, {
    platformName: before.platformName ?? (await findFreeName(scope, before, null)),
    platformStatus: 'PENDING',
    submittedAt: scope.clock(),
    // In the sandbox people choose the status themselves.
    ...(kind === 'platform' && { status: 'pending' as const }),
  });
  if (!template) return 'gone';
  if (version !== undefined)
    await scope.emit({ type: 'template.submitted', subject: templateId, values: { name: template.name } });
  return { before, template };
}

async function storeAnswer(
  { change }: TemplateDependencies,
  { kind }: Submission,
  before: StoredTemplate,
  answer: PlatformAnswer<SubmittedTemplate> | Exclude<PlatformAnswer<null>, { outcome: 'done' }>,
): Promise<void> {
  const { platformStatus, status } = before;
  const values: Partial<StoredTemplate> =
    answer.outcome === 'unreachable'
      ? { platformStatus, status }
      : answer.outcome === 'refused'
        ? {
            platformStatus: kind === 'sandbox' ? 'REJECTED' : platformStatus,
            status,
            rejectionReason: codeOfRejection(answer) || null,
            rejectionText: answer.reason,
          }
        : {
            platformTemplateId: answer.value.id,
            platformCategory: answer.value.category,
            rejectionReason: null,
            rejectionText: null,
            ...(answer.value.status !== 'PENDING' && {
              platformStatus: answer.value.status,
              ...(kind === 'platform' && { status: nextStatus('pending', answer.value.status) }),
            }),
          };
  await change((scope) => changeByPlatform(scope, before.id, values));
}

async function findFreeName(
  { tx, workspaceId }: WorkspaceScope,
  template: StoredTemplate,
  taken: string | null,
): Promise<string> {
  const wanted = derivePlatformName(template);
  const rows = await tx
    .select({ name: templates.platformName })
    .from(templates)
    .where(and(eq(templates.workspaceId, workspaceId), eq(templates.language, template.language)));
  const names = new Set([...rows.map(({ name }) => name), taken]);
  let name = wanted;
  // A name that was given up stays blocked on the platform, so counting goes on after it.
  const start = taken?.startsWith(`${wanted}_`) ? Number(taken.slice(wanted.length + 1)) + 1 || 2 : 2;
  for (let count = start; names.has(name) || (taken !== null && name === wanted); count += 1)
    name = `${wanted}_${count}`;
  return name;
}
