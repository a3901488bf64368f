import { methods, type ApiDescription } from './describe-api.ts';
import { html, type Html } from '../words/html.ts';
import { showOperation, type NamedOperation } from './reference-operation.ts';
import { showSchema, type Schema } from './reference-schema.ts';

/** Where its style lies; the page runs no script and asks no other host for anything. */
export const STYLE_PATH = '/api/docs/style.css';

/** The reference as one page, drawn from the description alone. */
export function renderReference(description: ApiDescription): string {
  const server = description.servers?.[0]?.url ?? '';
  const groups = groupByTag(description);
  const schemas = Object.entries((description.components?.schemas ?? {}) as Record<string, Schema>);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${description.info.title}</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body>
        <nav aria-label="Contents">
          <details open>
            <summary>Contents</summary>
            <ul>
              <li><a href="#guide">Guide</a></li>
              ${groups.map(
                ([tag, operations]) =>
                  html`<li>
                    <a href="#tag-${slug(tag)}">${tag}</a>
                    <ul>
                      ${operations.map(
                        ({ operation }) =>
                          html`<li>
                            <a href="#${operation.operationId}"
                              >${operation.operationId?.split('.').at(-1)}</a
                            >
                          </li>`,
                      )}
                    </ul>
                  </li>`,
              )}
              <li><a href="#schemas">Objects</a></li>
            </ul>
          </details>
        </nav>
        <main>
          <h1>${description.info.title}</h1>
          <p>
            ${description.info.description} As a file: <a href="/api/openapi.json">openapi.json</a> (OpenAPI
            ${description.openapi}).
          </p>
          ${guide(server)}
          ${groups.map(
            ([tag, operations]) =>
              html`<section id="tag-${slug(tag)}">
                <h2>${tag}</h2>
                ${operations.map((named) => showOperation(server, named))}
              </section>`,
          )}
          <section id="schemas">
            <h2>Objects</h2>
            ${schemas.map(
              ([name, schema]) =>
                html`<article id="schema-${name}">
                  <h3>${name}</h3>
                  ${showSchema(schema)}
                </article>`,
            )}
          </section>
        </main>
      </body>
    </html> `.text;
}

function guide(server: string): Html {
  return html`<section id="guide">
    <h2>Guide</h2>
    <h3>Keys</h3>
    <p>
      Make an API key in My Profile → API Keys, and choose what it may do. It never does more than you may do
      yourself, at each moment. Its secret is shown once; send it with every request to
      <code>${server}</code>:
    </p>
    <pre tabindex="0"><code>Authorization: Bearer wmp_…</code></pre>
    <p>
      A key belongs on a server: keep it in no page and no app, and send no cookie with it. Pages of other
      sites cannot call this API (no CORS).
    </p>
    <h3>Lists</h3>
    <p>
      A list answers with <code>items</code> and <code>nextCursor</code>. Ask again with
      <code>?cursor=</code> that text for the next page; it is <code>null</code> on the last one.
      <code>limit</code> is 200 at most.
    </p>
    <h3>Acts happen once</h3>
    <p>
      What creates, sends or deletes needs a header <code>Idempotency-Key</code>, a text of your own for this
      act. After a lost answer send the same request with the same key: it is done once, and you hear the
      first answer. A change names the <code>version</code> that you saw; when somebody else was faster it is
      refused, and nothing is overwritten.
    </p>
    <h3>Refusals</h3>
    <p>
      Every answer that is no success has one form. <code>code</code> is a promise, <code>message</code> is
      for people.
    </p>
    <pre
      tabindex="0"
    ><code>{ "error": { "code": "contact_phone_taken", "message": "…", "details": { "field": "phone" } } }</code></pre>
    <h3>Pace</h3>
    <p>
      A key has 600 requests a minute. <code>RateLimit-Policy</code> and <code>RateLimit</code> say what is
      left; beyond it stands 429 with <code>Retry-After</code> in seconds.
    </p>
  </section>`;
}

function groupByTag(description: ApiDescription): [string, NamedOperation[]][] {
  const groups = new Map<string, NamedOperation[]>();
  for (const { name } of description.tags ?? []) groups.set(name, []);
  for (const [path, item] of Object.entries(description.paths))
    for (const method of methods) {
      const operation = item[method];
      const tag = operation?.tags?.[0];
      if (operation && tag) groups.get(tag)?.push({ method, path, operation });
    }
  return [...groups];
}

function slug(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}
