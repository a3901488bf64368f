import { isSignedBy, splitCode } from '@app/database/links/link-code';
import { countPreview, findLink, recordClick } from '@app/database/links/record-click';
import { LINKS_PATH } from '@app/domain/links/counted-link';
import { isPreview } from '@app/domain/links/preview-robots';
import type { Hono } from 'hono';
import { refuse } from '../platform/http-edge/refuse.ts';
import type { ApiDependencies } from '../platform/request-context.ts';

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'logger' | 'channelKinds'>;

/**
 * `GET /l/{code}`: leads to the stored target of a link, and counts the click of its recipient. Only what was stored and signed leads anywhere. A click that
 * cannot be stored still leads on.
 */
export function mountLinks(app: Hono, { db, clock, logger, channelKinds: { names, of } }: Parts): void {
  const agents = names.flatMap((kind) => of({ kind }).previewAgents ?? []);
  app.get(`${LINKS_PATH}:code`, async (c) => {
    const parts = splitCode(c.req.param('code'));
    const link = parts && (await findLink(db.systemPool, parts.code));
    if (!link || !isSignedBy(link.key, parts) || !URL.canParse(link.target)) return refuse('address_unknown');
    const isByProgram = isPreview({
      method: c.req.method,
      userAgent: c.req.header('user-agent') ?? null,
      agents,
      purpose: c.req.header('sec-purpose') ?? c.req.header('purpose') ?? null,
    });
    const seq = parseInt(parts.place, 36);
    // Who follows a link from a page of the product is a member in a conversation. A member who opens it from a phone of their own is the contact.
    const isByMember = c.req.header('sec-fetch-site') === 'same-origin';
    const counted = isByMember
      ? Promise.resolve()
      : isByProgram || seq > MOST_SEQ
        ? countPreview(db.systemPool, link.id)
        : recordClick(db.systemPool, { linkId: link.id, seq, at: clock() });
    await counted.catch((error: unknown) => logger.warn({ err: error }, 'a click could not be stored'));
    c.header('cache-control', 'no-store');
    c.header('referrer-policy', 'no-referrer');
    c.header('x-robots-tag', 'noindex, nofollow');
    // With letters that a header may hold.
    return c.redirect(new URL(link.target).href, 302);
  });
}

const MOST_SEQ = 2_147_483_647;
