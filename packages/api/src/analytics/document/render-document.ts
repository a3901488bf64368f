import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { html, Html } from '../../platform/words/html.ts';
import { mailWords } from '../../platform/words/mail-words.ts';
import { renderPlainPage } from '../../platform/words/plain-page.ts';
import { drawBars } from './bars-drawing.ts';
import type { SaidDocument, SaidTable } from './said-document.ts';

/** A page with a style and drawings of its own: nothing runs, nothing is fetched, and no other page shows it within itself. */
export const DOCUMENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE =
  new Html(`:root{color-scheme:light dark;--page:#f4f6f5;--card:#fff;--text:#15211d;--muted:#5a6a64;--line:#dfe6e3;--bar:#008069}
@media (prefers-color-scheme:dark){:root{--page:#0e1513;--card:#16201d;--text:#e6eeeb;--muted:#9db0a9;--line:#2a3733;--bar:#2bc7a1}}
*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;margin:0;background:var(--page);color:var(--text)}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 3rem}h1{font-size:1.5rem;line-height:1.3;margin:0 0 .25rem;overflow-wrap:anywhere}h2{font-size:1rem;margin:0 0 .75rem}
p{margin:0 0 .25rem}.muted{color:var(--muted);font-size:.875rem}.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.75rem;margin:1.25rem 0}
.figures>div,section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem}section{margin:0 0 1rem}dt{color:var(--muted);font-size:.875rem}
dd{margin:0}.value{font-size:1.5rem;font-weight:600;font-variant-numeric:tabular-nums}.scroll{overflow-x:auto}table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.375rem .5rem;text-align:right;border-top:1px solid var(--line);white-space:nowrap}thead th{border-top:0;color:var(--muted);font-size:.875rem;font-weight:500}
th:first-child{text-align:left;white-space:normal;min-width:8rem;overflow-wrap:anywhere;padding-left:0}tbody th{font-weight:400}svg{display:block;width:100%;height:10rem}
.bars{fill:var(--bar)}svg line{stroke:var(--line)}
.axis{display:flex;justify-content:space-between;gap:.5rem;margin:.25rem 0 .75rem;color:var(--muted);font-size:.8125rem}.few{justify-content:space-around}.axis span{min-width:0}summary{cursor:pointer;color:var(--muted);font-size:.875rem}
:focus-visible{outline:3px solid var(--bar);outline-offset:2px}
@media print{:root{--page:#fff;--card:#fff;--text:#000;--muted:#444;--line:#bbb;--bar:#005c4b}main{padding:0;max-width:none}section,.figures{break-inside:avoid}summary{display:none}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}`);

export type DocumentPage = { language: InterfaceLanguage; title: string; business: string; until: string };

export function renderDocument(
  said: SaidDocument,
  { language, title, business, until }: DocumentPage,
): string {
  const words = mailWords(language);
  return renderPlainPage({
    ...{ language, title, style: STYLE },
    head: html`<meta name="robots" content="noindex, nofollow" />
      <meta name="referrer" content="no-referrer" />`,
    body: html`<p>${words('report.of', { business })}</p>
      <p class="muted">${said.period}</p>
      ${said.filters.length === 0 ? null : html`<p class="muted"><bdi>${said.filters.join(' · ')}</bdi></p>`}
      <dl class="figures">
        ${said.figures.map(
          ({ label, value, change }) =>
            html`<div>
              <dt>${label}</dt>
              <dd class="value">${value}</dd>
              ${change === null ? null : html`<dd class="muted">${change}</dd>`}
            </div>`,
        )}
      </dl>
      ${said.tables.map((table) => renderTable(table, words('report.empty'), words('report.asTable')))}
      <p class="muted">${words('report.until', { until })}</p>`,
  });
}

/** What is drawn has its figures as a table behind one press. */
function renderTable({ title, head, rows, bars, note }: SaidTable, empty: string, asTable: string): Html {
  const [first = '', ...others] = head;
  // A wide table scrolls in its place, by keyboard too.
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">
    <table>
      <thead>
        <tr>
          <th scope="col">${first}</th>
          ${others.map((one) => html`<th scope="col">${one}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([label = '', ...values]) =>
            html`<tr>
              <th scope="row"><bdi>${label}</bdi></th>
              ${values.map((value) => html`<td>${value}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
  const drawn = (of: NonNullable<typeof bars>) =>
    html`${drawBars(of, title)}
      <details>
        <summary>${asTable}</summary>
        ${table}
      </details>`;
  return html`<section>
    <h2>${title}</h2>
    ${rows.length === 0 ? html`<p class="muted">${empty}</p>` : bars ? drawn(bars) : table}
    ${note === undefined ? null : html`<p class="muted">${note}</p>`}
  </section>`;
}

/** The page for a link that has ended, was revoked or never existed. It does not say which. */
export function renderGone(language: InterfaceLanguage): string {
  return renderNotice(language, 'report.gone', 'report.goneText');
}

export function renderBusy(language: InterfaceLanguage): string {
  return renderNotice(language, 'report.busy', 'report.busyText');
}

function renderNotice(
  language: InterfaceLanguage,
  title: 'report.gone' | 'report.busy',
  text: 'report.goneText' | 'report.busyText',
): string {
  const words = mailWords(language);
  return renderPlainPage({
    ...{ language, title: words(title), style: STYLE },
    head: html`<meta name="robots" content="noindex, nofollow" />`,
    body: html`<p>${words(text)}</p>`,
  });
}
