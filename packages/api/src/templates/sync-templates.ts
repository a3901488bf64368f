import { noteTemplateSync, type TemplateSync } from '@app/database/channels/note-template-sync';
import { templates } from '@app/database/templates/templates-tables';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { nextStatus, type ConnectionKind } from '@app/domain/templates/platform-status';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import type { ChannelTemplate } from '@app/domain/messaging/channel-template';
import { codeOfRejection } from '@app/domain/messaging/delivery-error-messages';
import { eq } from 'drizzle-orm';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { handOverHeaderFile } from '../sending/header-file.ts';
import { changeByPlatform, changeTemplate } from './change-template.ts';
import { submitTemplate, type TemplateDependencies } from './submit-template.ts';
import { lockTemplate, type StoredTemplate } from './templates-queries.ts';

/** A submission that is under way ends sooner; one that is older was cut off. */
const LONGEST_SUBMISSION_MS = 10 * 60_000;

export type SyncOutcome =
  | { outcome: 'done'; checked: number; changed: number; submitted: number }
  | Exclude<PlatformAnswer<null>, { outcome: 'done' }>;

/**
 * Takes over what the platform says of every submitted template. On the sandbox, which forgets everything when it
 * ends, approved templates that are missing there are submitted again.
 */
export async function syncTemplates(
  dependencies: TemplateDependencies,
  { channelId, kind }: Synced,
): Promise<SyncOutcome> {
  const note = (state: TemplateSync['state'], refusal: TemplateSync['refusal'] = null) =>
    dependencies.change((scope) =>
      noteTemplateSync(
        scope,
        { workspaceId: scope.workspaceId, channelId },
        { state, refusal, at: scope.clock() },
      ),
    );
  await note('running');
  try {
    const answer = await bringInLine(dependencies, { channelId, kind });
    if (answer.outcome === 'done') await note('done');
    else if (answer.outcome === 'unreachable') await note('failed');
    else await note('failed', { code: codeOfRejection(answer), reason: answer.reason });
    return answer;
  } catch (error) {
    await note('failed');
    throw error;
  }
}

type Synced = { channelId: string; kind: Exclude<ConnectionKind, 'none'> };

async function bringInLine(
  dependencies: TemplateDependencies,
  { channelId, kind }: Synced,
): Promise<SyncOutcome> {
  const { read, templatePlatform } = dependencies;
  // Before the platform is asked: what is submitted or told meanwhile is newer than its answer.
  const { stored, now } = await read(async ({ tx, workspaceId, clock }) => ({
    stored: await tx.select().from(templates).where(eq(templates.workspaceId, workspaceId)),
    now: clock().getTime(),
  }));
  const answer = await templatePlatform.list(channelId);
  if (answer.outcome !== 'done') return answer;
  const known = new Map(answer.value.map((template) => [keyOf(template.name, template.language), template]));
  let changed = 0;
  let submitted = 0;
  for (const template of stored) {
    const there =
      template.platformName === null
        ? undefined
        : known.get(keyOf(template.platformName, platformLanguage(template.language)));
    if (there) {
      changed += Number(await takeOver(dependencies, template, there, kind));
      await handOverHeaderFile(dependencies, { channelId, template });
    } else if (kind === 'sandbox' && template.status === 'approved')
      submitted += Number(await submitMissing(dependencies, template, channelId));
    else if (template.platformTemplateId !== null)
      changed += Number(await markDeleted(dependencies, template));
    else if (isCutOff(template, now)) changed += Number(await takeBack(dependencies, template));
  }
  return { outcome: 'done', checked: stored.length, changed, submitted };
}

async function takeOver(
  dependencies: TemplateDependencies,
  template: StoredTemplate,
  there: ChannelTemplate,
  kind: 'sandbox' | 'platform',
): Promise<boolean> {
  const now = {
    platformTemplateId: there.id,
    platformStatus: there.status,
    platformCategory: there.category,
    quality: there.quality,
    rejectionReason: there.rejectedReason,
    // Told with an event alone: it stands as long as the reason does, or until the first one is known.
    rejectionText:
      there.rejectedReason !== null &&
      (template.rejectionReason ?? there.rejectedReason) === there.rejectedReason
        ? template.rejectionText
        : null,
    status: kind === 'platform' ? nextStatus(template.status, there.status) : template.status,
  };
  const isSame = Object.entries(now).every(([key, value]) => template[key as keyof typeof now] === value);
  return !isSame && changeAsRead(dependencies, template, now);
}

/** False when somebody else, such as a webhook, changed the template since it was read: the next sync looks anew. */
function changeAsRead(
  { change }: TemplateDependencies,
  template: StoredTemplate,
  values: Partial<StoredTemplate>,
): Promise<boolean> {
  return change(async (scope) => {
    const isAsRead = await lockAsRead(scope, template);
    if (isAsRead) await changeByPlatform(scope, template.id, values);
    return isAsRead;
  });
}

async function lockAsRead(scope: WorkspaceScope, template: StoredTemplate): Promise<boolean> {
  return JSON.stringify(await lockTemplate(scope, template.id)) === JSON.stringify(template);
}

async function submitMissing(
  dependencies: TemplateDependencies,
  template: StoredTemplate,
  channelId: string,
): Promise<boolean> {
  const { id: templateId } = template;
  // What becomes of it tells the submission.
  const isMissing = await dependencies.change(async (scope) => {
    const isAsRead = await lockAsRead(scope, template);
    if (isAsRead) await changeTemplate(scope, templateId, { platformTemplateId: null, platformStatus: null });
    return isAsRead;
  });
  if (!isMissing) return false;
  const { outcome } = await submitTemplate(dependencies, { templateId, channelId, kind: 'sandbox' });
  return outcome === 'submitted';
}

async function markDeleted(dependencies: TemplateDependencies, template: StoredTemplate): Promise<boolean> {
  if (template.platformStatus === 'DELETED') return false;
  const values = {
    ...{ platformStatus: 'DELETED', platformTemplateId: null },
    status: nextStatus(template.status, 'DELETED'),
  };
  return changeAsRead(dependencies, template, values);
}

/** Its process died before the platform had it, and nothing else would ever end its waiting. */
function isCutOff({ platformStatus, submittedAt }: StoredTemplate, now: number): boolean {
  return (
    platformStatus === 'PENDING' &&
    submittedAt !== null &&
    now - submittedAt.getTime() > LONGEST_SUBMISSION_MS
  );
}

function takeBack(dependencies: TemplateDependencies, template: StoredTemplate): Promise<boolean> {
  const status = template.status === 'pending' ? 'draft' : template.status;
  return changeAsRead(dependencies, template, { platformStatus: null, status });
}

function keyOf(name: string, language: string): string {
  return `${name}/${language}`;
}
