import { templates } from '@app/database/templates/templates-tables';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { nextStatus, type ConnectionKind } from '@app/domain/templates/platform-status';
import type { ChannelTemplate } from '@app/domain/messaging/channel-template';
import { and, eq } from 'drizzle-orm';
import { isHeaderMediaDue, renewHeaderMedia } from '../platform/messaging/header-file.ts';
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
  {
    workspaceId,
    channelId,
    kind,
  }: { workspaceId: string; channelId: string; kind: Exclude<ConnectionKind, 'none'> },
): Promise<SyncOutcome> {
  const { db, templatePlatform } = dependencies;
  const answer = await templatePlatform.list(channelId);
  if (answer.outcome !== 'done') return answer;
  const known = new Map(answer.value.map((template) => [keyOf(template.name, template.language), template]));
  const stored = await db.inWorkspace(workspaceId, (tx) =>
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
  { db }: TemplateDependencies,
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
  if (!isSame) await update(db, template, now);
  return !isSame;
}

async function submitMissing(
  dependencies: TemplateDependencies,
  template: StoredTemplate,
  channelId: string,
): Promise<boolean> {
  await update(dependencies.db, template, { platformTemplateId: null, platformStatus: null });
  const { workspaceId, id: templateId } = template;
  const { outcome } = await submitTemplate(dependencies, {
    workspaceId,
    templateId,
    channelId,
    kind: 'sandbox',
  });
  return outcome === 'submitted';
}

async function markDeleted({ db }: TemplateDependencies, template: StoredTemplate): Promise<boolean> {
  if (template.platformStatus === 'DELETED') return false;
  await update(db, template, {
    platformStatus: 'DELETED',
    platformTemplateId: null,
    status: nextStatus(template.status, 'DELETED'),
  });
  return true;
}

async function update(
  db: TemplateDependencies['db'],
  template: StoredTemplate,
  values: Partial<StoredTemplate>,
): Promise<void> {
  await db.inWorkspace(template.workspaceId, (tx) =>
    tx
      .update(templates)
      .set(values)
      .where(and(eq(templates.workspaceId, template.workspaceId), eq(templates.id, template.id))),
  );
}

function keyOf(name: string, language: string): string {
  return `${name}/${language}`;
}
