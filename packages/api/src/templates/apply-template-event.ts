import { templates } from '@app/database/templates/templates-tables';
import { qualityDrop, readQuality } from '@app/domain/channels/number-standing';
import { nextStatus } from '@app/domain/templates/platform-status';
import { platformLanguage } from '@app/domain/templates/platform-name';
import type { TemplateEvent } from '@app/domain/messaging/inbound-event';
import { pauseForQuality } from '@app/delivery/guard-runs';
import { emitRuns } from '@app/delivery/emit-runs';
import { and, eq, or } from 'drizzle-orm';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { changeByPlatform } from './change-template.ts';
import type { StoredTemplate } from './templates-queries.ts';

/** Keeps what the platform says of one of our templates. An event about a template that is not ours changes nothing. */
export async function applyTemplateEvent(
  scope: WorkspaceScope,
  event: TemplateEvent,
  isCopy = false,
): Promise<void> {
  const template = await findSubmitted(scope, event);
  if (!template || (isCopy && !mayAnswer(template, event))) return;
  if (isOlder(template, event)) return;
  const values = readChange(template, event);
  if (values) await changeByPlatform(scope, template.id, values);
  if (event.type !== 'template_quality_changed') return;
  const quality = qualityDrop(readQuality(event.previousQuality ?? ''), readQuality(event.quality));
  // A copy was heeded when it came first: who started something since knows it.
  if (!isCopy && quality !== null) {
    const at = new Date(event.occurredAt || scope.clock().getTime());
    const paused = await pauseForQuality(
      scope,
      { workspaceId: scope.workspaceId, templateId: template.id, quality },
      at,
    );
    await emitRuns(scope, (_, __, fact) => scope.emit(fact), paused);
  }
}

/**
 * The platform tells times in whole seconds, so when two submissions of one template are decided alike within a second, what it says of
 * the second looks like a copy of what it said of the first.
 */
function mayAnswer({ platformStatus, submittedAt }: StoredTemplate, event: TemplateEvent): boolean {
  const isWaiting = platformStatus === 'PENDING' && submittedAt !== null;
  return (
    event.type === 'template_status_changed' && isWaiting && event.occurredAt + 1000 > submittedAt.getTime()
  );
}

/** The platform tells late, and in any order: what it said since of the status holds. */
function isOlder({ statusToldAt }: StoredTemplate, { type, occurredAt }: TemplateEvent): boolean {
  return type === 'template_status_changed' && statusToldAt !== null && occurredAt < statusToldAt.getTime();
}

function readChange(template: StoredTemplate, event: TemplateEvent): Partial<StoredTemplate> | null {
  switch (event.type) {
    case 'template_status_changed': {
      const reason = event.reason === 'NONE' ? null : event.reason;
      const isRejected = nextStatus('pending', event.status) === 'rejected';
      return {
        platformStatus: event.status.toUpperCase(),
        status: nextStatus(template.status, event.status),
        ...(event.occurredAt > 0 && { statusToldAt: new Date(event.occurredAt) }),
        rejectionReason: isRejected ? reason : null,
        rejectionText: isRejected ? event.recommendation : null,
        ...(event.category !== null && { platformCategory: event.category.toLowerCase() }),
      };
    }
    case 'template_quality_changed':
      return { quality: event.quality };
    case 'template_category_changed':
      // A notice tells of a change to come; until then the old category holds, and with it the old price.
      return event.stage === 'changed' ? { platformCategory: event.category.toLowerCase() } : null;
    case 'template_components_changed':
      return null;
  }
}

async function findSubmitted(
  { tx, workspaceId }: WorkspaceScope,
  { templateId, templateName, language }: TemplateEvent,
): Promise<StoredTemplate | undefined> {
  const rows = await tx
    .select()
    .from(templates)
    .where(
      and(
        eq(templates.workspaceId, workspaceId),
        or(eq(templates.platformTemplateId, templateId), eq(templates.platformName, templateName)),
      ),
    )
    .for('update');
  return (
    rows.find((row) => row.platformTemplateId === templateId) ??
    // The review can be quicker than the answer to the submission that brings the id.
    rows.find((row) => row.platformTemplateId === null && platformLanguage(row.language) === language)
  );
}
