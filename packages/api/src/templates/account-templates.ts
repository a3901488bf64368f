import { advisoryLocks } from '@app/database/advisory-locks';
import { templates } from '@app/database/templates/templates-tables';
import { newId } from '@app/database/new-id';
import type { ChannelTemplate } from '@app/domain/messaging/channel-template';
import {
  findDifferences,
  readAccountTemplate,
  type ImportObstacle,
  type TemplatePart,
} from '@app/domain/templates/account-templates';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { statusFromPlatform } from '@app/domain/templates/platform-status';
import { lacksHeaderFile } from '@app/domain/templates/template';
import { eq } from 'drizzle-orm';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import { describeContent } from './describe-content.ts';
import type { StoredTemplate } from './templates-queries.ts';

export type AccountTemplate = {
  /** Ours; null for one that stands in the account alone. */
  templateId: string | null;
  /** The platform's; null for one that does not stand there. */
  platformId: string | null;
  name: string;
  language: string;
  /** In the platform's word. */
  status: string | null;
  difference: 'none' | 'missing_there' | 'missing_here' | 'changed';
  parts: TemplatePart[];
  needsFile: boolean;
  obstacle: ImportObstacle | null;
};

/** Ours beside those of the account: what differs first, each by its name. */
export async function compareWithAccount(
  scope: ReadScope,
  account: readonly ChannelTemplate[],
): Promise<AccountTemplate[]> {
  const rows = await readAll(scope);
  const known = new Map(account.map((there) => [keyOf(there.name, there.language), there]));
  const found = rows.map((ours): AccountTemplate => {
    const key = ours.platformName && keyOf(ours.platformName, platformLanguage(ours.language));
    const there = key ? known.get(key) : undefined;
    if (there && key) known.delete(key);
    const parts = there ? findDifferences(ours, there) : [];
    return {
      ...{ templateId: ours.id, platformId: there?.id ?? null, name: ours.name, language: ours.language },
      ...{ status: there?.status ?? null, parts, obstacle: null, needsFile: false },
      difference: there ? (parts.length > 0 ? 'changed' : 'none') : 'missing_there',
    };
  });
  const others = [...known.values()].map((there): AccountTemplate => {
    const read = readAccountTemplate(there);
    return {
      ...{ templateId: null, platformId: there.id, name: there.name, language: there.language },
      ...{ status: there.status, difference: 'missing_here', parts: [] },
      obstacle: typeof read === 'string' ? read : null,
      needsFile: typeof read !== 'string' && lacksHeaderFile(read.components),
    };
  });
  const isSame = ({ difference }: AccountTemplate) => Number(difference === 'none');
  return [...others, ...found].toSorted((a, b) => isSame(a) - isSame(b) || a.name.localeCompare(b.name));
}

/** Takes over templates of the account that are not here yet. Whoever does it twice takes nothing twice. */
export async function importFromAccount(
  scope: WorkspaceScope,
  account: readonly ChannelTemplate[],
  ids: readonly string[] | 'all',
): Promise<{ imported: number; skipped: number }> {
  // Two imports, or a submission, would otherwise give one name of the platform to two templates.
  await scope.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1::text, ${advisoryLocks.templateSubmission}))`,
    [scope.workspaceId],
  );
  const stored = await readAll(scope);
  const here = new Set(
    stored.map(({ platformName, language }) => keyOf(platformName ?? '', platformLanguage(language))),
  );
  // A further language of one of ours goes under the name that it has here.
  const names = new Map(
    stored.flatMap(({ platformName, name }) => (platformName ? [[platformName, name]] : [])),
  );
  const wanted = account.filter(({ id }) => ids === 'all' || ids.includes(id));
  const now = scope.clock();
  const rows = wanted.flatMap((there): (typeof templates.$inferInsert)[] => {
    const read = readAccountTemplate(there);
    if (typeof read === 'string' || here.has(keyOf(there.name, there.language))) return [];
    const { category, language, components } = read;
    return [
      {
        ...{ id: newId(now.getTime()), workspaceId: scope.workspaceId, category, language },
        ...{ name: names.get(there.name) ?? there.name, ...describeContent(components) },
        status: statusFromPlatform(there.status) ?? 'pending',
        ...{ platformName: there.name, platformTemplateId: there.id, platformStatus: there.status },
        ...{ platformCategory: there.category, quality: there.quality, createdAt: now },
        rejectionReason: there.rejectedReason,
      },
    ];
  });
  for (let at = 0; at < rows.length; at += SLICE)
    await scope.tx.insert(templates).values(rows.slice(at, at + SLICE));
  if (rows.length > 0)
    await scope.emit({
      type: 'templates.imported',
      subject: scope.workspaceId,
      values: { count: rows.length },
    });
  return { imported: rows.length, skipped: wanted.length - rows.length };
}

const SLICE = 500;

function readAll({ tx, workspaceId }: ReadScope): Promise<StoredTemplate[]> {
  return tx.select().from(templates).where(eq(templates.workspaceId, workspaceId));
}

function keyOf(name: string, language: string): string {
  return `${name}/${language}`;
}
