import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { html, Html } from '../../platform/words/html.ts';
import { renderReports } from './render-reports.ts';
import type { SaidFigure, SaidSummary } from './said-summary.ts';

/**
 * Mail programs know tables and styles that stand beside the text, and few of them anything else: what darkness needs is said once more above, with
 * `!important`, for those that read it. Names of templates have no spaces, and break anywhere. The colours are those of the product.
 */
const LIGHT = {
  ...{
    page: '#f4f6f5',
    card: '#ffffff',
    text: '#15211d',
    muted: '#5a6a64',
    line: '#dfe6e3',
    tile: '#f4f6f5',
  },
  ...{
    primary: '#008069',
    link: '#006b57',
    good: '#0b6b3a',
    bad: '#b3261e',
    need: '#fff6e0',
    needText: '#5c4300',
  },
};
const DARK = {
  ...{
    page: '#0e1513',
    card: '#16201d',
    text: '#e6eeeb',
    muted: '#9db0a9',
    line: '#2a3733',
    tile: '#1c2825',
  },
  ...{ link: '#5fd0b5', good: '#6fd49b', bad: '#ff9d94', need: '#3a2f10', needText: '#ffe2a0' },
};
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const STYLE = new Html(`:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background:${DARK.page}!important}.card{background:${DARK.card}!important;border-color:${DARK.line}!important}
.text{color:${DARK.text}!important}.muted{color:${DARK.muted}!important}.line{border-color:${DARK.line}!important}.tile{background:${DARK.tile}!important}
.link{color:${DARK.link}!important}.good{color:${DARK.good}!important}.bad{color:${DARK.bad}!important}
.need{background:${DARK.need}!important}.needtext{color:${DARK.needText}!important}}
@media (max-width:520px){.inner{padding:20px!important}.cell{display:block!important;width:auto!important;padding:0 0 8px!important}}`);

/** The name of the picture in the mail. */
export const LOGO = 'logo';

/** The mail for programs that show it: its one picture comes along, so that nothing has to be fetched and nobody learns that it was read. */
export function renderSummary(said: SaidSummary, language: InterfaceLanguage, subject: string): string {
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body class="page" style="margin:0;padding:0;background:${LIGHT.page}">
        <table
          role="presentation"
          class="page"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="background:${LIGHT.page}"
        >
          <tr>
            <td align="center" style="padding:24px 12px">
              <table
                role="presentation"
                class="card"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:600px;background:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:12px;${FONT}"
              >
                <tr>
                  <td class="inner" style="padding:28px 32px;word-break:break-word;overflow-wrap:anywhere">
                    ${renderHead(said)} ${renderFigures(said.figures)}
                    ${said.hasSummary ? renderNeeds(said) : null} ${renderEnded(said)}
                    ${renderReports(said.reports, renderFigures, { words: said.reportWords, links: said.reportLinks, colors: LIGHT })}
                    ${renderButton(said.open)}
                  </td>
                </tr>
              </table>
              ${renderFoot(said)}
            </td>
          </tr>
        </table>
      </body>
    </html>`;
  return page.text.replaceAll(/\n\s+/g, '\n');
}

function renderHead({ title, period, greeting, hasLogo, business }: SaidSummary): Html {
  return html`${
      hasLogo
        ? html`<img
            src="cid:${LOGO}"
            width="48"
            height="48"
            alt="${business}"
            style="display:block;margin:0 0 16px;border-radius:24px"
          />`
        : null
    }
    <h1 class="text" style="margin:0;font-size:22px;line-height:28px;color:${LIGHT.text}">${title}</h1>
    <p class="muted" style="margin:4px 0 0;font-size:15px;line-height:22px;color:${LIGHT.muted}">${period}</p>
    <p class="text" style="margin:16px 0 20px;font-size:15px;line-height:22px;color:${LIGHT.text}">
      ${greeting}
    </p>`;
}

/** Two beside each other. */
function renderFigures(figures: readonly SaidFigure[]): Html | null {
  if (figures.length === 0) return null;
  const rows = Array.from({ length: Math.ceil(figures.length / 2) }, (_, row) =>
    figures.slice(row * 2, row * 2 + 2),
  );
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
    ${rows.map(
      (pair) =>
        html`<tr>
          ${pair.map((figure, at) => renderFigure(figure, at === 0))}
        </tr>`,
    )}
  </table>`;
}

function renderFigure({ label, value, change, isGood }: SaidFigure, isFirst: boolean): Html {
  const tone = isGood === null ? 'muted' : isGood ? 'good' : 'bad';
  return html`<td
    class="cell"
    width="50%"
    style="padding:0 ${isFirst ? '4px' : '0'} 8px ${isFirst ? '0' : '4px'}"
  >
    <div class="tile" style="background:${LIGHT.tile};border-radius:8px;padding:12px 14px">
      <div class="muted" style="font-size:13px;line-height:18px;color:${LIGHT.muted}">${label}</div>
      <div class="text" style="font-size:24px;line-height:30px;font-weight:600;color:${LIGHT.text}">
        ${value}
      </div>
      <div class="${tone}" style="font-size:13px;line-height:18px;color:${LIGHT[tone]}">${change}</div>
    </div>
  </td>`;
}

function renderNeeds({ needsTitle, needs, nothingNeeds }: SaidSummary): Html {
  if (needs.length === 0)
    return html`<p class="muted" style="margin:16px 0 0;font-size:15px;line-height:22px;color:${LIGHT.muted}">
      ${nothingNeeds}
    </p>`;
  return html`${renderTitle(needsTitle)}
  ${needs.map(
    ({ text, link }) =>
      html`<div
        class="need"
        style="background:${LIGHT.need};border-radius:8px;padding:10px 14px;margin:0 0 8px"
      >
        <a class="needtext" href="${link}" style="color:${LIGHT.needText};font-size:15px;line-height:22px"
          >${text}</a
        >
      </div>`,
  )}`;
}

function renderEnded({ endedTitle, ended }: SaidSummary): Html | null {
  if (ended.length === 0) return null;
  return html`${renderTitle(endedTitle)}
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
      ${ended.map(
        ({ name, text, link }) =>
          html`<tr>
            <td
              class="line"
              style="padding:8px 0;border-bottom:1px solid ${LIGHT.line};font-size:15px;line-height:22px"
            >
              <a class="link" href="${link}" style="color:${LIGHT.link}">${name}</a>
              <div class="muted" style="font-size:13px;line-height:18px;color:${LIGHT.muted}">${text}</div>
            </td>
          </tr>`,
      )}
    </table>`;
}

function renderTitle(title: string): Html {
  return html`<h2 class="text" style="margin:20px 0 8px;font-size:16px;line-height:22px;color:${LIGHT.text}">
    ${title}
  </h2>`;
}

function renderButton({ text, link }: SaidSummary['open']): Html {
  return html`<p style="margin:24px 0 0">
    <a
      href="${link}"
      style="display:inline-block;background:${LIGHT.primary};color:#ffffff;border-radius:8px;padding:10px 18px;font-size:15px;line-height:20px;font-weight:600;text-decoration:none"
      >${text}</a
    >
  </p>`;
}

function renderFoot({ why, unsubscribe }: SaidSummary): Html {
  return html`<p
    class="muted"
    style="max-width:560px;margin:16px auto 0;font-size:13px;line-height:20px;color:${LIGHT.muted};${FONT}"
  >
    ${why}
    ${
      unsubscribe
        ? html`<a class="muted" href="${unsubscribe.link}" style="color:${LIGHT.muted}"
            >${unsubscribe.text}</a
          >`
        : null
    }
  </p>`;
}
