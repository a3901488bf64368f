import { html } from 'hono/html';
import type { Person } from './people.ts';

/** Nothing runs on it; every choice is a link. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Who shall sign in: the page of the pretended provider. */
export function renderPersonPage(request: string, people: readonly Person[]): ReturnType<typeof html> {
  const address = (choice: Record<string, string>) =>
    `/oidc/choose?${new URLSearchParams({ request, ...choice }).toString()}`;
  const items = people.map(
    ({ sub, email, emailVerified, givenName, familyName }) =>
      html`<li>
        <a href="${address({ person: sub })}">${`${givenName} ${familyName}`.trim()}</a>
        <span>${email ?? 'no e-mail'}${email && !emailVerified ? ' (not verified)' : ''}</span>
      </li>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Company sign-in of the sandbox</title>
        <link rel="stylesheet" href="/oidc/page.css" />
      </head>
      <body>
        <main>
          <h1>Company sign-in of the sandbox</h1>
          <p>Who are you?</p>
          <ul>
            ${items}
          </ul>
          <p><a href="${address({})}">Cancel</a></p>
        </main>
      </body>
    </html>`;
}

export const pageStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 12vh auto; padding: 0 1.25rem; }
h1 { font-size: 1.3rem; }
ul { list-style: none; padding: 0; }
li { display: grid; padding: 0.5rem 0; }
span { opacity: 0.75; font-size: 0.9rem; }
`;
