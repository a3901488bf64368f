import { reportLinksContract } from '@app/contracts/analytics/report-links-contract';
import { advisoryLocks } from '@app/database/advisory-locks';
import { newId } from '@app/database/new-id';
import { reportLinkLimits } from '@app/domain/analytics/report-link';
import { personOf } from '@app/domain/auth/caller';
import { implementEndpoints } from '../../platform/implement-endpoints.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';
import { reportLinkUrl } from './report-link-address.ts';

const os = implementEndpoints(reportLinksContract);
const DAY_MS = 86_400_000;

export const reportLinksApi = os.router({
  list: os.list.handler(({ context }) =>
    context.read(async (scope) => ({
      items: (await listLinks(scope)).map((row) => present(row, scope, context)),
    })),
  ),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { name, query, days, zone } = input;
      // One after the other, so that there are never more than there can be.
      await scope.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${advisoryLocks.reportViews}))`, [
        `links ${scope.workspaceId}`,
      ]);
      const links = await listLinks(scope);
      if (links.filter((link) => link.endsAt > scope.clock()).length >= reportLinkLimits.links)
        throw errors.report_links_full();
      const now = scope.clock();
      const id = newId();
      await scope.query(
        `INSERT INTO report_links (id, workspace_id, user_id, name, query, time_zone, created_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          ...[id, scope.workspaceId, personOf(scope.caller), name, JSON.stringify(query), zone, now],
          new Date(now.getTime() + days * DAY_MS),
        ],
      );
      await scope.emit({ type: 'report_link.created', subject: id, values: { name } });
      const made = (await listLinks(scope)).find((link) => link.id === id)!; // written above
      return present(made, scope, context);
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { rows } = await scope.query<{ name: string }>(
        'DELETE FROM report_links WHERE workspace_id = $1 AND id = $2 RETURNING name',
        [scope.workspaceId, input.reportLinkId],
      );
      const [link] = rows;
      if (!link) throw errors.report_link_not_found();
      await scope.emit({
        ...{ type: 'report_link.deleted', subject: input.reportLinkId, values: { name: link.name } },
      });
      return {};
    }),
  ),
});

type Link = { id: string; name: string; endsAt: Date; createdBy: string | null };

async function listLinks(scope: ReadScope): Promise<Link[]> {
  const { rows } = await scope.query<Link>(
    `SELECT l.id, l.name, l.ends_at AS "endsAt", u.name AS "createdBy" FROM report_links l LEFT JOIN users u ON u.id = l.user_id
      WHERE l.workspace_id = $1 ORDER BY l.created_at DESC, l.id DESC LIMIT 500`,
    [scope.workspaceId],
  );
  return rows;
}

function present(
  { id, name, endsAt, createdBy }: Link,
  scope: ReadScope,
  parts: Pick<ApiDependencies, 'secrets' | 'publicUrl'>,
) {
  return {
    ...{ id, name, createdBy, url: reportLinkUrl(parts, id) },
    ...{ endsAt: endsAt.toISOString(), isOver: endsAt <= scope.clock() },
  };
}
