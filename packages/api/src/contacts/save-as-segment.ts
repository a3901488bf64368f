import { contactLimits, cleanTags } from '@app/domain/contacts/contact';
import { addSegment, type Segment } from '../segments/segments-queries.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

type Saved = { segment: Segment; tag: string };

/**
 * Keeps people who were chosen by hand: a segment is made of rules, so it finds who has a tag that nobody has yet, which the caller gives
 * them. The tag is called like the segment where it can be.
 */
export async function addTagSegment(
  scope: WorkspaceScope,
  name: string,
): Promise<Saved | 'segment_name_taken'> {
  const tag = await findFreeTag(scope, name);
  const segment = await addSegment(scope, {
    name,
    rules: { match: 'all', conditions: [{ kind: 'has_tag', value: tag }] },
  });
  if (segment === 'segment_name_taken') return segment;
  return { segment, tag };
}

/** A semicolon separates tags, so it cannot be in one. */
async function findFreeTag(scope: ReadScope, name: string): Promise<string> {
  const [wanted = 'Segment'] = cleanTags([name.replaceAll(';', ',')]);
  for (let count = 1; ; count += 1) {
    const tag = count === 1 ? wanted : `${wanted.slice(0, contactLimits.tag - 8)} ${count}`;
    const { rows } = await scope.query(
      'SELECT 1 FROM contact_tag_counts WHERE workspace_id = $1 AND lower(tag) = lower($2) LIMIT 1',
      [scope.workspaceId, tag],
    );
    if (rows.length === 0) return tag;
  }
}
