import {
  cadenceOfMail,
  isSummaryKind,
  summaryMailKinds,
  type SummaryMailKind,
} from '@app/domain/notifications/summary';
import type { ViewCadence } from '@app/domain/analytics/mailed-view';
import type { SqlQueries } from '@app/database/sql-queries';
import { chooseLanguage, type InterfaceLanguage } from '@app/domain/text/interface-language';
import type { Context, Env, Hono } from 'hono';
import { readUnsubscribe, UNSUBSCRIBE_PATH } from '../platform/account/unsubscribe-link.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import { changeAcrossWorkspaces, emitEverywhere } from '../platform/system-work.ts';
import { html, Html } from '../platform/words/html.ts';
import { mailWords } from '../platform/words/mail-words.ts';
import { renderPlainPage } from '../platform/words/plain-page.ts';

/** A page with a style and one button, and nothing else. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const STYLE =
  new Html(`:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f4f6f5;color:#15211d}
main{max-width:26rem;margin:15vh auto 0;padding:2rem;background:#fff;border:1px solid #dfe6e3;border-radius:12px}h1{font-size:1.25rem;margin:0 0 1rem}
button{font:inherit;font-weight:600;background:#008069;color:#fff;border:0;border-radius:8px;padding:.625rem 1.125rem;cursor:pointer}a{color:#006b57}
@media (max-width:30rem){main{margin:0;border:0;border-radius:0;min-height:100vh;box-sizing:border-box}}
@media (prefers-color-scheme:dark){body{background:#0e1513;color:#e6eeeb}main{background:#16201d;border-color:#2a3733}a{color:#5fd0b5}}`);

/**
 * Where the link in a summary leads: one press ends these mails, without a sign-in. Programs that look at mails open every link, so opening it only asks;
 * mail programs with a button of their own send what the button here sends (RFC 8058).
 */
export function mountUnsubscribe(
  app: Hono,
  parts: Pick<ApiDependencies, 'db' | 'clock' | 'facts' | 'logger' | 'secrets' | 'publicUrl'> & {
    /** Ends the saved views that come with these mails (system scope). */
    endMailedViews(client: SqlQueries, userId: string, every: ViewCadence): Promise<unknown>;
  },
): void {
  const path = `${UNSUBSCRIBE_PATH}/:kind/:token` as const;
  const find = async ({ req }: Context<Env, typeof path>) => {
    const kind = summaryMailKinds.find((one) => one === req.param('kind'));
    const userId = kind && readUnsubscribe(parts, kind, req.param('token'));
    const language = userId && (await findLanguage(parts, userId));
    return kind && language ? { kind, userId, language } : null;
  };
  app.get(path, async (c) => {
    const found = await find(c);
    if (!found) return refuse('address_unknown');
    c.header('content-security-policy', POLICY);
    return c.html(renderQuestion(found.kind, found.language));
  });
  app.post(path, async (c) => {
    const found = await find(c);
    if (!found) return refuse('address_unknown');
    await endMails(parts, found);
    c.header('content-security-policy', POLICY);
    return c.html(renderDone(found.kind, found.language, parts.publicUrl));
  });
}

async function findLanguage(
  { db }: Pick<ApiDependencies, 'db'>,
  userId: string,
): Promise<InterfaceLanguage | null> {
  const { rows } = await db.systemPool.query<{ language: InterfaceLanguage | null }>(
    'SELECT language FROM users WHERE id = $1',
    [userId],
  );
  return rows[0] ? (rows[0].language ?? chooseLanguage([])) : null;
}

/** However often it is pressed. */
async function endMails(
  parts: Parameters<typeof mountUnsubscribe>[1],
  { kind, userId }: { kind: SummaryMailKind; userId: string },
): Promise<void> {
  await changeAcrossWorkspaces(parts, 'sign-in', async ({ client, scopeOf }) => {
    await parts.endMailedViews(client, userId, cadenceOfMail[kind]);
    if (!isSummaryKind(kind)) return;
    const { rowCount } = await client.query(
      `UPDATE users SET preferences = preferences || jsonb_build_object('notices', coalesce(preferences -> 'notices', '{}')
                || jsonb_build_object($2::text, coalesce(preferences -> 'notices' -> $2, '{}') || '{"email": false}'))
        WHERE id = $1 AND (preferences -> 'notices' -> $2 -> 'email') IS DISTINCT FROM 'false'::jsonb`,
      [userId, kind],
    );
    if (rowCount === 1)
      await emitEverywhere(client, scopeOf, {
        ...{ type: 'account.preferences_changed', subject: userId, values: {} },
      });
  });
}

function renderQuestion(kind: SummaryMailKind, language: InterfaceLanguage): string {
  const words = mailWords(language);
  return draw(
    language,
    words(`mail.summary.${kind}.title`),
    html`<p>${words(`mail.summary.${kind}.ask`)}</p>
      <form method="post"><button type="submit">${words(`mail.summary.${kind}.unsubscribe`)}</button></form>`,
  );
}

function renderDone(kind: SummaryMailKind, language: InterfaceLanguage, publicUrl: string): string {
  const words = mailWords(language);
  return draw(
    language,
    words(`mail.summary.${kind}.title`),
    html`<p role="status">${words(`mail.summary.${kind}.ended`)}</p>
      <p>
        <a href="${publicUrl}/dashboard/profile?tab=notifications">${words('mail.summary.choose')}</a>
      </p>`,
  );
}

function draw(language: InterfaceLanguage, title: string, body: Html): string {
  const head = html`<meta name="robots" content="noindex" />`;
  return renderPlainPage({ language, title, style: STYLE, body, head });
}
