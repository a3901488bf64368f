import { media } from '@app/database/media/media-tables';
import { findComponent, type TemplateComponent } from '@app/domain/templates/template';
import { and, eq } from 'drizzle-orm';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';

type Adopted = { outcome: 'adopted'; components: TemplateComponent[] } | { outcome: 'media_not_found' };

/** Checks that the header's file is one of the workspace's and of the right kind, and takes its real name and size. */
export async function adoptHeaderMedia(
  { tx, workspaceId }: WorkspaceScope,
  components: TemplateComponent[],
): Promise<Adopted> {
  const header = findComponent(components, 'header');
  if (!header || header.format === 'text' || !header.media) return { outcome: 'adopted', components };
  const [file] = await tx
    .select()
    .from(media)
    .where(and(eq(media.workspaceId, workspaceId), eq(media.id, header.media.id)))
    .for('key share');
  if (!file || file.type !== header.format) return { outcome: 'media_not_found' };
  const adopted = { ...header, media: { id: file.id, name: file.name, size: file.size } };
  return {
    outcome: 'adopted',
    components: components.map((component) => (component === header ? adopted : component)),
  };
}
