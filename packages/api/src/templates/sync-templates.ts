import { templates } from '@app/database/templates/templates-tables';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { nextStatus, type ConnectionKind } from '@app/domain/templates/platform-status';
import type { ChannelTemplate } from '@app/domain/messaging/channel-template';
import { eq } from 'drizzle-orm';
import { isHeaderMediaDue, renewHeaderMedia } from '../sending/header-file.ts';
import { changeByPlatform, changeTemplate } from './change-template.ts';
import { submitTemplate, type TemplateDependencies } from './submit-template.ts';
import type { StoredTemplate } from './templates-queries.ts';

export type SyncOutcome =
  | { outcome: 'done'; checked: number; changed: number; submitted: number }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'unreachable' };

/**
 * Takes over what the platform says of every submitted template. On the sandbox, which forgets everything when it
 * ends, approved templates that are missing there are submitted again.
 */
export async function syncTemplates(
  dependencies: TemplateDependencies,
  { channelId, kind }: { channelId: string; kind: Exclude<ConnectionKind, 'none'> },
): Promise<SyncOutcome> {
  const { read, templatePlatform } = dependencies;
  const answer = await templatePlatform.list(channelId);
  if (answer.outcome !== 'done') return answer;
  const known = new Map(answer.value.map((template) => [keyOf(template.name, template.language), template]));
  const stored = await read(({ tx, workspaceId }) =>
    tx.select().from(templates).where(eq(templates.workspaceId, workspaceId)),
  );
  let changed = 0;
  let submitted = 0;
  for (const template of stored) {
    const there =
      template.platformName === null
        ? undefined
        : known.get(keyOf(template.platformName, platformLanguage(template.language)));
    if (there) {
      changed += Number(await takeOver(dependencies, template, there, kind));
      if (await isHeaderMediaDue(dependencies, template))
        await renewHeaderMedia(dependencies, channelId, template);
    } else if (kind === 'sandbox' && template.status === 'approved')
      submitted += Number(await submitMissing(dependencies, template, channelId));
    else if (template.platformTemplateId !== null)
      changed += Number(await markDeleted(dependencies, template));
  }
  return { outcome: 'done', checked: stored.length, changed, submitted };
}

async function takeOver(
  { change }: TemplateDependencies,
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
    status: kind === 'platform' ? nextStatus(template.status, there.status) : template.status,
  };
  const isSame = Object.entries(now).every(([key, value]) => template[key as keyof typeof now] === value);
  if (!isSame) await change((scope) => changeByPlatform(scope, template.id, now));
  return !isSame;
}

async function submitMissing(
  dependencies: TemplateDependencies,
  template: StoredTemplate,
  channelId: string,
): Promise<boolean> {
  const { id: templateId } = template;
  // What becomes of it tells the submission.
  await dependencies.change((scope) =>
    changeTemplate(scope, templateId, { platformTemplateId: null, platformStatus: null }),
  );
  const { outcome } = await submitTemplate(dependencies, { templateId, channelId, kind: 'sandbox' });
  return outcome === 'submitted';
}

async function markDeleted({ change }: TemplateDependencies, template: StoredTemplate): Promise<boolean> {
  if (template.platformStatus === 'DELETED') return false;
  const values = {
    ...{ platformStatus: 'DELETED', platformTemplateId: null },
    status: nextStatus(template.status, 'DELETED'),
  };
  await change((scope) => changeByPlatform(scope, template.id, values));
  return true;
}

function keyOf(name: string, language: string): string {
  return `${name}/${language}`;
}
