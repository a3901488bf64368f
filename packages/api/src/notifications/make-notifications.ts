import { newId } from '@app/database/new-id';
import { isFactType, type FactType } from '@app/domain/events/fact-catalogue';
import type { FactConsumer, StoredFact } from '../platform/facts/fact-consumer.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { enqueuePushes, type Made } from './push/enqueue-pushes.ts';
import { findListeners, newsOfFacts, whoLooks } from './find-news.ts';
import type { LookingAt } from './news.ts';

/** Tells people of what concerns them: once for each fact and person, in the transaction that moves the cursor. */
export const makeNotifications: FactConsumer = {
  name: 'notifications',
  order: 'none',
  atDepthLimit: 'hear',
  types: Object.keys(newsOfFacts) as FactType[], // they are its keys
  async handle(page, facts, parts) {
    const told = new Set<string>();
    const looking = whoLooks(page, parts);
    const titleOf = (kind: string) => parts.connectorKinds?.find(kind)?.title ?? kind;
    const made: Made[] = [];
    const ledToSome: StoredFact[] = [];
    for (const fact of facts) {
      const ofFact = await tellOf(page.causedBy(fact), fact, { looking, titleOf });
      if (ofFact.length > 0) ledToSome.push(fact);
      made.push(...ofFact);
    }
    const [first, ...others] = ledToSome;
    if (!first) return;
    const scope = page.causedBy(first, ...others);
    for (const { user_id: userId } of made) told.add(userId);
    await enqueuePushes(scope, parts, made);
    if (told.size > 0)
      await scope.emit({
        ...{ type: 'notifications.made', subject: scope.workspaceId },
        values: { userIds: [...told] },
      });
  },
};

async function tellOf(
  scope: WorkspaceScope,
  fact: StoredFact,
  { looking, titleOf }: { looking: LookingAt; titleOf: (kind: string) => string },
): Promise<Made[]> {
  const news = isFactType(fact.type) ? await newsOfFacts[fact.type]?.(scope, fact, looking, titleOf) : null;
  if (!news) return [];
  const listeners = await findListeners(scope, news);
  const { rows } = await scope.query<Made>(
    `INSERT INTO notifications (id, workspace_id, user_id, kind, subject, "values", fact_id, is_listed, is_mailed, is_pushed, created_at)
     SELECT l.id, $1, l.user_id, $2, $3, $4, $5, l.is_listed, l.is_mailed, l.is_pushed, $6
       FROM unnest($7::uuid[], $8::uuid[], $9::boolean[], $10::boolean[], $11::boolean[])
         AS l (id, user_id, is_listed, is_mailed, is_pushed)
     ON CONFLICT DO NOTHING RETURNING id, user_id, is_pushed`,
    [
      ...[scope.workspaceId, news.kind, news.subject, JSON.stringify(news.values), fact.id, scope.clock()],
      ...[listeners.map(() => newId()), listeners.map(({ userId }) => userId)],
      ...[listeners.map(({ isListed }) => isListed), listeners.map(({ isMailed }) => isMailed)],
      listeners.map(({ isPushed }) => isPushed),
    ],
  );
  return rows;
}
