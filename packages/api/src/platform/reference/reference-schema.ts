import { html, type Html } from '../words/html.ts';

/** The parts of JSON Schema that inputs and answers of the contract use. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
};

const DEEPEST = 6;

/** What a value is made of, field by field; objects that have a name of their own are a link. */
export function showSchema(schema: Schema, depth = 0): Html {
  const inner = bodyOf(schema, depth);
  return html`<span class="type">${nameOf(schema)}</span>${inner}`;
}

function bodyOf(schema: Schema, depth: number): Html | null {
  if (depth > DEEPEST) return null;
  const { properties, required = [] } = schema;
  if (properties)
    return html`<ul class="fields">
      ${Object.entries(properties).map(
        ([name, field]) =>
          html`<li>
            <code>${name}</code>
            ${required.includes(name) ? html`<em>required</em> ` : null}${showSchema(field, depth + 1)}${limitsOf(field)}
          </li>`,
      )}
    </ul>`;
  if (schema.items) return bodyOf(schema.items, depth);
  const variants = variantsOf(schema).filter(({ properties: fields, items }) => fields ?? items);
  if (variants.length === 0) return null;
  return variants.length === 1
    ? bodyOf(variants[0]!, depth) // there is one
    : html`<ul class="variants">
        ${variants.map((variant) => html`<li>${showSchema(variant, depth + 1)}</li>`)}
      </ul>`;
}

function variantsOf({ anyOf, oneOf, allOf }: Schema): Schema[] {
  return anyOf ?? oneOf ?? allOf ?? [];
}

function nameOf(schema: Schema): Html {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.enum) return html`${schema.enum.map((value) => JSON.stringify(value)).join(' | ')}`;
  const variants = variantsOf(schema);
  if (variants.length > 0)
    return html`${variants.map((variant, index) => html`${index > 0 ? ' | ' : ''}${nameOf(variant)}`)}`;
  if (schema.items) return html`list of ${nameOf(schema.items)}`;
  const type = [schema.type ?? (schema.properties ? 'object' : 'any')].flat().join(' | ');
  return html`${schema.format ? `${type} (${schema.format})` : type}`;
}

function limitsOf(schema: Schema): Html | null {
  const { default: standard, minimum, maximum, minLength, maxLength, maxItems, description } = schema;
  const limits = [
    standard === undefined ? null : `default ${JSON.stringify(standard)}`,
    minimum === undefined || minimum < -1e9 ? null : `at least ${minimum}`,
    maximum === undefined || maximum > 1e9 ? null : `at most ${maximum}`,
    minLength === undefined ? null : `at least ${minLength} characters`,
    maxLength === undefined ? null : `at most ${maxLength} characters`,
    maxItems === undefined ? null : `at most ${maxItems} of them`,
    description ?? null,
  ].filter((limit) => limit !== null);
  return limits.length > 0 ? html` <span class="limits">${limits.join(', ')}</span>` : null;
}
