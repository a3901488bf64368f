import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { html, type Html } from './html.ts';

export type PlainPage = {
  language: InterfaceLanguage;
  /** Of the window and, as its heading, of the page. */
  title: string;
  style: Html;
  body: Html;
  /** What else stands in the head, such as a word to search engines. */
  head?: Html;
};

/** A small page that the server writes by itself: a heading with something below it, without a script. */
export function renderPlainPage({ language, title, style, body, head }: PlainPage): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${head ?? null}
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;
}
