import { newId } from '@app/database/new-id';
import { templates } from '@app/database/templates/templates-tables';
import type { Adoption, ImportRules } from '@app/domain/data-management/data-import';
import { findTemplateFaults, mostButtonsOf, pruneComponents } from '@app/domain/templates/template-rules';
import type { TemplateCategoryName, TemplateComponent } from '@app/domain/templates/template';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { canonicalJson } from '../platform/canonical-json.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { changeTemplate } from './change-template.ts';
import { describeContent } from './describe-content.ts';
import { adoptHeaderMedia } from './header-media.ts';
import { findNeededTemplates, type StoredTemplate } from './templates-queries.ts';

export type OfferedTemplate = {
  row: number;
  name: string;
  category: TemplateCategoryName;
  language: string;
  components: TemplateComponent[];
};

/** How it stood before it was adopted: null where it was not there. `version` is the one that it has since. */
export type TemplateBefore = {
  id: string;
  version: number;
  was: { category: TemplateCategoryName; components: TemplateComponent[] } | null;
};

/**
 * Takes templates of elsewhere, each of another name or language: by these one is known. New ones are drafts, since nobody checked them here; what was submitted
 * stays as it is. A try changes nothing.
 */
export async function adoptTemplates(
  scope: WorkspaceScope,
  offered: readonly OfferedTemplate[],
  rules: ImportRules,
): Promise<Adoption<TemplateBefore>[]> {
  const { tx, workspaceId } = scope;
  const rows = await tx
    .select()
    .from(templates)
    .where(
      and(
        eq(templates.workspaceId, workspaceId),
        inArray(
          templates.name,
          offered.map(({ name }) => name),
        ),
      ),
    )
    .orderBy(asc(templates.createdAt), asc(templates.id))
    .for('update');
  // Of several the newest. A try of what takes the place of all of them meets none.
  const known = new Map(rules.replaces ? [] : rows.map((row) => [nameOf(row), row]));
  const adopted: Adoption<TemplateBefore>[] = [];
  for (const template of offered)
    adopted.push({
      ...{ row: template.row, name: template.name },
      ...(await adoptOne(scope, { template, known }, rules)),
    });
  return adopted;
}

type Outcome = Pick<Adoption<TemplateBefore>, 'outcome' | 'problem' | 'before'>;

async function adoptOne(
  scope: WorkspaceScope,
  { template, known }: { template: OfferedTemplate; known: ReadonlyMap<string, StoredTemplate> },
  { prefers, isDryRun }: ImportRules,
): Promise<Outcome> {
  const { name, category, language } = template;
  const old = known.get(nameOf(template));
  const stored = old?.components ?? [];
  const pruned = pruneComponents(template.components, stored);
  if (findTemplateFaults({ name, components: pruned }, mostButtonsOf(stored)).length > 0)
    return { outcome: 'refused', problem: 'invalid' };
  const media = await adoptHeaderMedia(scope, pruned);
  if (media.outcome === 'media_not_found') return { outcome: 'refused', problem: 'media_missing' };
  const { components } = media;
  const now = scope.clock();
  if (!old) {
    const created = {
      ...{ id: newId(now.getTime()), workspaceId: scope.workspaceId, name, category, language },
      ...describeContent(components),
      ...{ status: 'draft' as const, createdAt: now },
    };
    if (isDryRun) return { outcome: 'added' };
    await scope.tx.insert(templates).values(created);
    return { outcome: 'added', before: { id: created.id, version: 1, was: null } };
  }
  const was = { category: old.category, components: old.components };
  if (canonicalJson(was) === canonicalJson({ category, components })) return { outcome: 'same' };
  if (prefers === 'here') return { outcome: 'kept' };
  if (old.status !== 'draft' || old.platformName !== null) return { outcome: 'kept', problem: 'submitted' };
  if (isDryRun) return { outcome: 'changed' };
  const version = old.version + 1;
  const changes = { category, ...describeContent(components), updatedAt: now, version };
  await changeTemplate(scope, old.id, changes);
  return { outcome: 'changed', before: { id: old.id, version, was } };
}

/**
 * Takes that back: what was added goes, what was changed is as it was, unless somebody changed it since or sends with it. Answers with how many
 * stayed.
 */
export async function giveBackTemplates(
  scope: WorkspaceScope,
  adopted: readonly TemplateBefore[],
): Promise<number> {
  const { tx, workspaceId } = scope;
  const ids = adopted.map(({ id }) => id);
  const isOneOf = (chosen: readonly string[]) =>
    and(eq(templates.workspaceId, workspaceId), inArray(templates.id, [...chosen]));
  const rows = await tx.select().from(templates).where(isOneOf(ids)).orderBy(asc(templates.id)).for('update');
  const found = new Map(rows.map((row) => [row.id, row]));
  const needed = await findNeededTemplates(
    scope,
    adopted.flatMap(({ id, was }) => (was ? [] : [id])),
  );
  const gone: string[] = [];
  let stayed = 0;
  for (const { id, version, was } of adopted) {
    const row = found.get(id);
    if (!row) continue;
    const isTouched = row.version !== version || row.status !== 'draft' || row.platformName !== null;
    if (isTouched || needed.has(id)) stayed += 1;
    else if (was) {
      const { category, components } = was;
      await changeTemplate(scope, id, {
        ...{ category, ...describeContent(components), updatedAt: scope.clock() },
        version: version + 1,
      });
    } else gone.push(id);
  }
  if (gone.length > 0) await tx.delete(templates).where(isOneOf(gone));
  return stayed;
}

/** By what a template is known in every workspace. */
function nameOf({ name, language }: Pick<OfferedTemplate, 'name' | 'language'>): string {
  return JSON.stringify([name, language]);
}
