import type { SaidTable } from '../../analytics/document/said-document.ts';
import type { MailedReport } from '../../analytics/mails/report-mail.ts';
import { html, type Html } from '../../platform/words/html.ts';

/** The name of the picture of a report in its mail. */
export function reportPicture(at: number): string {
  return `report-${at}`;
}

type Look = {
  words: { gone: string; attached: string; open: string };
  links: readonly string[];
  colors: { text: string; muted: string; line: string };
};

/** Each view: its name and days, four figures, a picture, and campaigns as a table. */
export function renderReports(
  reports: readonly MailedReport[],
  renderFigures: (figures: { label: string; value: string; change: string; isGood: null }[]) => Html | null,
  { words, links, colors }: Look,
): Html[] {
  return reports.map(({ name, said, picture }, at) => {
    const title = html`<h2
      class="text"
      style="margin:24px 0 4px;font-size:18px;line-height:24px;color:${colors.text}"
    >
      ${name}
    </h2>`;
    if (!said)
      return html`${title}
        <p class="muted" style="margin:0;font-size:15px;line-height:22px;color:${colors.muted}">
          ${words.gone}
        </p>`;
    const [volume, , campaigns] = said.tables;
    return html`${title}
      <p class="muted" style="margin:0 0 12px;font-size:13px;line-height:18px;color:${colors.muted}">
        ${said.period}${said.filters.map((filter) => html`<br />${filter}`)}
      </p>
      ${renderFigures(said.figures.map(({ change, ...figure }) => ({ ...figure, change: change ?? '–', isGood: null })))}
      ${picture && volume ? renderPicture(volume, at, colors) : null}
      ${campaigns && campaigns.rows.length > 0 ? renderTable(campaigns, colors) : null}
      <p class="muted" style="margin:8px 0 0;font-size:13px;line-height:18px;color:${colors.muted}">
        ${words.attached}
        <a class="text" href="${links[at]}" style="color:${colors.text}">${words.open}</a>
      </p>`;
  });
}

/** The bars, their title and their first and last day. */
function renderPicture({ title, rows }: SaidTable, at: number, { text, muted }: Look['colors']): Html {
  return html`<p class="text" style="margin:12px 0 4px;font-size:15px;line-height:22px;color:${text}">
      ${title}
    </p>
    <img
      src="cid:${reportPicture(at)}"
      width="536"
      alt="${title}"
      style="display:block;width:100%;max-width:536px;height:auto;border-radius:8px;background:#ffffff"
    />
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
      <tr>
        <td class="muted" style="font-size:12px;color:${muted}">${rows[0]?.[0]}</td>
        <td class="muted" align="right" style="font-size:12px;color:${muted}">${rows.at(-1)?.[0]}</td>
      </tr>
    </table>`;
}

/** Name, sent, delivered and read: more has no room on a telephone. */
function renderTable({ title, head, rows, note }: SaidTable, { text, muted, line }: Look['colors']): Html {
  const cells = ([first = '', ...others]: readonly string[], isHead: boolean) => {
    const tag = (content: string, isFirst: boolean) =>
      html`<td
        class="${isHead ? 'muted' : 'text'} line"
        align="${isFirst ? 'left' : 'right'}"
        style="padding:6px ${isFirst ? '8px' : '0'} 6px ${isFirst ? '0' : '8px'};border-bottom:1px solid ${line};font-size:13px;line-height:18px;color:${isHead ? muted : text}"
      >
        ${content}
      </td>`;
    return html`<tr>
      ${tag(first, true)} ${others.slice(0, 3).map((one) => tag(one, false))}
    </tr>`;
  };
  return html`<p class="text" style="margin:16px 0 4px;font-size:15px;line-height:22px;color:${text}">
      ${title}
    </p>
    <table width="100%" cellpadding="0" cellspacing="0">
      ${cells(head, true)} ${rows.map((row) => cells(row, false))}
    </table>
    ${
      note === undefined
        ? null
        : html`<p class="muted" style="margin:4px 0 0;font-size:12px;line-height:18px;color:${muted}">
            ${note}
          </p>`
    }`;
}
