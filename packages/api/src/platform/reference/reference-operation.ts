import type { OpenAPI } from '@orpc/contract';
import { curlOf, javascriptOf, type Sample } from './code-samples.ts';
import { html, type Html } from '../words/html.ts';
import { showSchema, type Schema } from './reference-schema.ts';

export type NamedOperation = { method: string; path: string; operation: OpenAPI.OperationObject };

/** One endpoint: what it takes, what it answers, how it refuses, and how it is called. */
export function showOperation(server: string, named: NamedOperation): Html {
  const { method, path, operation } = named;
  const { operationId = '', summary, description, responses = {} } = operation;
  const body = bodyOf(operation);
  const answer = contentOf(responses['200']);
  const sample = sampleOf(named);
  return html`<article id="${operationId}">
    <h3>
      <span class="method ${method}">${method}</span>
      <code>${path.split('/').map((part, index) => html`${index > 0 ? html`/<wbr />` : ''}${part}`)}</code>
    </h3>
    <p>${summary}.</p>
    <p class="needs">${description}</p>
    ${showParameters(parametersOf(operation))}
    ${
      body
        ? html`<h4>Body</h4>
            <div>${body.types} ${showSchema(body.schema)}</div>`
        : null
    }
    ${
      answer
        ? html`<h4>Answer</h4>
            <div>${answer.types} ${showSchema(answer.schema)}</div>`
        : null
    }
    ${showEarly(responses['202'])}
    <details>
      <summary>Refusals</summary>
      <table>
        <tbody>
          ${Object.entries(responses)
            .filter(([status]) => status !== '200')
            .map(([status, response]) => showRefusals(status, response))}
        </tbody>
      </table>
    </details>
    ${
      sample
        ? html`<details open>
              <summary>curl</summary>
              <pre
                tabindex="0"
              ><code class="sample" data-language="shell">${curlOf(server, sample)}</code></pre>
            </details>
            <details>
              <summary>JavaScript</summary>
              <pre
                tabindex="0"
              ><code class="sample" data-language="javascript">${javascriptOf(server, sample)}</code></pre>
            </details>`
        : null
    }
  </article>`;
}

/** An answer that comes before the work is done. */
function showEarly(response: unknown): Html | null {
  // As `describeFiles` wrote it, which alone knows of any.
  const { description } = (response ?? {}) as { description?: string };
  return description === undefined ? null : html`<p class="needs"><code>202</code> ${description}</p>`;
}

function showParameters(parameters: readonly OpenAPI.ParameterObject[]): Html | null {
  if (parameters.length === 0) return null;
  return html`<h4>Parameters</h4>
    <ul class="fields">
      ${parameters.map(
        ({ name, in: place, required, schema, description }) =>
          html`<li>
            <code>${name}</code>
            <span class="place">${place}</span>
            ${required ? html`<em>required</em> ` : null}${showSchema((schema ?? {}) as Schema)}${description ? html` <span class="limits">${description}</span>` : null}
          </li>`,
      )}
    </ul>`;
}

function showRefusals(status: string, response: unknown): readonly Html[] {
  const { error } = contentOf(response)?.schema.properties ?? {};
  const codes = error?.properties?.code?.enum ?? [];
  const texts = (error?.properties?.message?.description ?? '').split('\n');
  return codes.map((code) => {
    const text = texts.find((line) => line.startsWith(`${String(code)}: `));
    return html`<tr>
      <td>${status}</td>
      <td>
        <code
          >${String(code)
            .split('_')
            .map((part, index) => html`${index > 0 ? html`_<wbr />` : ''}${part}`)}</code
        >
      </td>
      <td>${text?.slice(String(code).length + 2)}</td>
    </tr>`;
  });
}

/** Null where an example would be needed and there is none. */
function sampleOf({ method, path, operation }: NamedOperation): Sample | null {
  const parameters = parametersOf(operation);
  const body = bodyOf(operation);
  const answersJson = contentOf(operation.responses?.['200'])?.types === 'application/json';
  if (!answersJson || (body && (body.example === undefined || body.types !== 'application/json')))
    return null;
  const query = parameters.filter(({ in: place, example }) => place === 'query' && example !== undefined);
  return {
    ...{ method: method.toUpperCase(), path, body: body?.example },
    query: Object.fromEntries(query.map(({ name, example }) => [name ?? '', example])),
    takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
}

function parametersOf({ parameters = [] }: OpenAPI.OperationObject): OpenAPI.ParameterObject[] {
  return parameters.filter((parameter): parameter is OpenAPI.ParameterObject => !('$ref' in parameter));
}

type Content = { types: string; schema: Schema; example: unknown };

function bodyOf({ requestBody }: OpenAPI.OperationObject): Content | null {
  return contentOf(requestBody);
}

function contentOf(holder: unknown): Content | null {
  // Of a body or an answer that the generator wrote.
  const { content } = (holder ?? {}) as { content?: Record<string, OpenAPI.MediaTypeObject> };
  const [first] = Object.values(content ?? {});
  if (!content || !first) return null;
  const types = Object.keys(content).join(', ');
  return { types, schema: (first.schema ?? {}) as Schema, example: first.example };
}
