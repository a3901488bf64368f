import type { Context, Hono } from 'hono';
import { databaseTrouble } from '@app/database/query-error';
import type { ViewQuery } from '@app/domain/analytics/view-period';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { resolvePermissions, type Role, type RolePermissionOverrides } from '@app/domain/auth/permissions';
import { readGeneralSettings } from '@app/domain/settings/general-settings';
import { createAttemptLimit } from '../../platform/http-edge/attempt-limit.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { changeAsSystem } from '../../platform/system-work.ts';
import { languageOf } from '../../platform/words/language-of.ts';
import { readDocument } from '../document/read-document.ts';
import { DOCUMENT_POLICY, renderBusy, renderDocument, renderGone } from '../document/render-document.ts';
import { sayDocument } from '../document/said-document.ts';
import { readReportLink, REPORTS_PATH } from './report-link-address.ts';

/** Of one network address, and of one link; both in one process. */
const BY_ADDRESS = { max: 60, windowMs: 60_000 };
const BY_LINK = { max: 300, windowMs: 60_000 };

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'facts' | 'logger' | 'secrets'> & {
  readIpAddress(request: Request, environment: unknown): string | null;
};
type Link = {
  workspace_id: string;
  name: string;
  query: ViewQuery;
  time_zone: string;
  ends_at: Date;
  role: Role;
  overrides: RolePermissionOverrides;
  settings: Record<string, unknown>;
};

/** `GET /reports/{token}`: the figures of a view, without a sign-in and without a script, as long as the link is open. */
export function mountReportLinks(app: Hono, parts: Parts): void {
  const byAddress = createAttemptLimit(BY_ADDRESS, parts.clock);
  const byLink = createAttemptLimit(BY_LINK, parts.clock);
  const answer = (c: Context, page: string, status: 200 | 404 | 429 | 503) => {
    c.header('content-security-policy', DOCUMENT_POLICY);
    c.header('cache-control', 'no-store');
    c.header('referrer-policy', 'no-referrer');
    c.header('x-robots-tag', 'noindex, nofollow');
    return c.html(page, status);
  };

  // An address that was cut off is for people, too.
  app.get(`${REPORTS_PATH}/`, (c) => answer(c, renderGone(languageOf(c.req.raw)), 404));
  app.get(`${REPORTS_PATH}/:token`, async (c) => {
    const language = languageOf(c.req.raw);
    const attempt = byAddress.begin(parts.readIpAddress(c.req.raw, c.env) ?? '');
    const id = readReportLink(parts, c.req.param('token'));
    if (!attempt.isAllowed || (id !== null && !byLink.begin(id).isAllowed)) {
      c.header('retry-after', String(attempt.secondsLeft));
      return answer(c, renderBusy(language), 429);
    }
    const link = id === null ? undefined : await findLink(parts, id);
    if (!link) return answer(c, renderGone(language), 404);
    const asked = { zone: link.time_zone, now: parts.clock().getTime() };
    const document = await changeAsSystem(
      ...([parts, 'shared-reports', link.workspace_id] as const),
      (scope) => readDocument(scope, link.query, asked),
      'reporting',
    ).catch((error: unknown) => {
      if (databaseTrouble(error) !== 'busy') throw error;
      return 'busy' as const;
    });
    if (document === 'busy') return answer(c, renderBusy(language), 503);
    if (!document) return answer(c, renderGone(language), 404);
    const until = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: document.zone });
    return answer(
      c,
      renderDocument(sayDocument(document, language, { isForOthers: true }), {
        ...{ language, title: link.name, until: until.format(link.ends_at) },
        business: readGeneralSettings(link.settings).businessName,
      }),
      200,
    );
  });
}

/** A link that is open, of a member who may still read analytics. */
async function findLink({ db, clock }: Parts, id: string): Promise<Link | undefined> {
  const { rows } = await db.systemPool.query<Link>(
    `SELECT l.workspace_id, l.name, l.query, l.time_zone, l.ends_at, m.role, w.role_permissions AS overrides, w.settings
       FROM report_links l JOIN memberships m ON m.workspace_id = l.workspace_id AND m.user_id = l.user_id AND m.is_active
       JOIN workspaces w ON w.id = l.workspace_id
      WHERE l.id = $1 AND l.ends_at > $2`,
    [id, clock()],
  );
  const [link] = rows;
  return link && isPermitted(resolvePermissions(link.role, link.overrides), 'analytics:read')
    ? link
    : undefined;
}

const KEPT_DAYS = 30;

/** Links that are over are listed for a month. */
export async function deleteOverLinks({ db, clock }: Pick<ApiDependencies, 'db' | 'clock'>): Promise<void> {
  await db.systemPool.query(
    `DELETE FROM report_links WHERE ends_at < $1::timestamptz - make_interval(days => $2)`,
    [clock(), KEPT_DAYS],
  );
}
