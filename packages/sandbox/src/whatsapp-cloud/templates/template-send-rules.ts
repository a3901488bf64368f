import { objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import { GraphError } from '../errors.ts';
import type { Template } from '../store.ts';
import { checkSentButtons, countMismatch } from './template-send-buttons.ts';
import { buttonsOf, fillText, findComponent, parameterText, variablesIn } from './template-variables.ts';

/** Checks the parameters of a template send against the template; throws what the platform answers at once. */
export function checkTemplateSend(template: Template, content: JsonObject): void {
  checkStatus(template);
  const given = objectsOf(content['components']);
  for (const component of given) {
    if (!givenTypes.has(typeOf(component) ?? ''))
      throw new GraphError(100, {
        message: `(#100) Param template['components'][${given.indexOf(component)}]['type'] must be one of {${[...givenTypes].join(', ').toUpperCase()}}`,
      });
  }
  checkParts(template, template.components, given, '');
  checkOffer(template, findGiven(given, 'limited_time_offer'));
  checkCards(template, findGiven(given, 'carousel'));
}

const givenTypes = new Set([
  ...['header', 'body', 'footer', 'button', 'carousel', 'limited_time_offer', 'order_status'],
]);

/** Header, body and buttons of the template, or of one card of it. */
function checkParts(template: Template, parts: JsonObject[], given: JsonObject[], card: string): void {
  checkHeader(template, parts, findGiven(given, 'header'), card);
  checkBody(template, parts, findGiven(given, 'body'), card);
  checkSentButtons(
    buttonsOf(parts),
    given.filter((component) => typeOf(component) === 'button'),
    card,
  );
}

export function templateNotFound(name: string, language: string): GraphError {
  return new GraphError(132001, {
    details: `template name (${name}) does not exist in ${language}, or is not approved`,
  });
}

function checkStatus(template: Template): void {
  if (template.status === 'APPROVED' || template.status === 'FLAGGED' || template.status === 'REINSTATED')
    return;
  if (template.status === 'PAUSED')
    throw new GraphError(132015, { details: `template ${template.name} is paused` });
  if (template.status === 'DISABLED')
    throw new GraphError(132016, { details: `template ${template.name} is disabled` });
  throw templateNotFound(template.name, template.language);
}

function checkHeader(
  template: Template,
  parts: JsonObject[],
  given: JsonObject | undefined,
  card: string,
): void {
  const name = `${card}header`;
  const header = findComponent(parts, 'HEADER');
  const parameters = objectsOf(given?.['parameters']);
  if (!header) {
    if (parameters.length > 0) countMismatch(name, 0, parameters.length);
    return;
  }
  const format = (textOf(header['format']) ?? 'TEXT').toUpperCase();
  if (format === 'TEXT') return checkTexts(template, name, textOf(header['text']) ?? '', parameters);
  const parameter = parameters[0];
  const wanted = format.toLowerCase();
  if (!parameter)
    throw new GraphError(132012, {
      details: `${name}: Format mismatch, expected ${format}, received UNKNOWN`,
    });
  const received = textOf(parameter['type']);
  if (received !== wanted) {
    throw new GraphError(132012, {
      details: `${name}: Format mismatch, expected ${format}, received ${String(received).toUpperCase()}`,
    });
  }
  const content = objectOf(parameter[wanted]);
  const isComplete =
    format === 'LOCATION'
      ? content['latitude'] !== undefined && content['longitude'] !== undefined
      : format === 'PRODUCT'
        ? content['catalog_id'] && content['product_retailer_id']
        : content['id'] || content['link'];
  if (!isComplete) throw new GraphError(132012, { details: `${name}: the ${wanted} is not complete` });
}

function checkBody(
  template: Template,
  parts: JsonObject[],
  given: JsonObject | undefined,
  card: string,
): void {
  const name = `${card}body`;
  const parameters = objectsOf(given?.['parameters']);
  if (template.category === 'AUTHENTICATION') {
    if (parameters.length !== 1) countMismatch(name, 1, parameters.length);
    const code = parameterText(parameters[0] ?? {});
    if (code === '' || code.length > 15)
      throw new GraphError(132018, { details: 'the code must have 1 to 15 characters' });
    return;
  }
  const text = textOf(findComponent(parts, 'BODY')?.['text']) ?? '';
  checkTexts(template, name, text, parameters);
  const hasOthers = parts.length > 1;
  if (hasOthers && fillText(text, parameters).length > 1024) {
    throw new GraphError(132005, { details: `${name}: the text is longer than 1024 characters once filled` });
  }
}

function checkTexts(template: Template, part: string, text: string, parameters: JsonObject[]): void {
  const variables = variablesIn(text);
  if (parameters.length !== variables.length) countMismatch(part, variables.length, parameters.length);
  for (const [position, parameter] of parameters.entries()) {
    const type = textOf(parameter['type']) ?? '';
    if (type !== 'text' && !(part.endsWith('body') && (type === 'currency' || type === 'date_time'))) {
      throw new GraphError(132012, {
        details: `${part}: parameter ${position + 1} must be text, received ${type || 'nothing'}`,
      });
    }
    const name = textOf(parameter['parameter_name']);
    if (template.parameterFormat === 'NAMED') {
      if (name === undefined)
        throw new GraphError(132012, { details: `${part}: parameter ${position + 1} has no parameter_name` });
      if (!variables.includes(name))
        throw new GraphError(132018, { details: `${part}: the template has no parameter ${name}` });
    } else if (name !== undefined) {
      throw new GraphError(132012, {
        details: `${part}: parameter_name is only for templates with named parameters`,
      });
    }
    checkParameterText(part, parameterText(parameter));
  }
  if (template.parameterFormat === 'NAMED') {
    const names = new Set(parameters.map((parameter) => textOf(parameter['parameter_name'])));
    if (names.size !== variables.length)
      throw new GraphError(132018, { details: `${part}: a parameter is given twice` });
  }
}

function checkParameterText(part: string, text: string): void {
  if (text === '') throw new GraphError(131008, { details: `${part}: a parameter text is empty` });
  if (/[\n\r\t]| {5}/.test(text)) {
    throw new GraphError(132018, {
      details: `${part}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
    });
  }
}

/** When the offer ends; only an offer with an end may and must say it. */
function checkOffer(template: Template, given: JsonObject | undefined): void {
  const offer = findComponent(template.components, 'LIMITED_TIME_OFFER');
  const part = 'limited_time_offer';
  if (!offer) {
    if (given) throw new GraphError(132018, { details: `${part}: the template has no limited-time offer` });
    return;
  }
  const parameter = objectsOf(given?.['parameters'])[0];
  const hasEnd = objectOf(offer['limited_time_offer'])['has_expiration'] !== false;
  if (!parameter) {
    if (hasEnd)
      throw new GraphError(131008, { details: `${part}: the parameter expiration_time_ms is missing` });
    return;
  }
  if (parameter['type'] !== part)
    throw new GraphError(132012, { details: `${part}: the parameter must be of type ${part}` });
  const end = Number(objectOf(parameter[part])['expiration_time_ms']);
  if (!Number.isInteger(end) || end <= Date.now())
    throw new GraphError(132018, {
      details: `${part}: expiration_time_ms must be a time to come, in milliseconds`,
    });
}

function checkCards(template: Template, given: JsonObject | undefined): void {
  const wanted = objectsOf(findComponent(template.components, 'CAROUSEL')?.['cards']);
  const received = objectsOf(given?.['cards']);
  if (wanted.length !== received.length) countMismatch('carousel cards', wanted.length, received.length);
  const seen = new Set<number>();
  for (const card of received) {
    const index = Number(card['card_index'] ?? Number.NaN);
    const parts = Number.isInteger(index) ? wanted[index] : undefined;
    if (!parts || seen.has(index))
      throw new GraphError(132018, {
        details: `carousel: card_index ${String(card['card_index'])} is not that of one card`,
      });
    seen.add(index);
    const name = `carousel card ${index} `;
    checkParts(template, objectsOf(parts['components']), objectsOf(card['components']), name);
  }
}

function findGiven(given: JsonObject[], type: string): JsonObject | undefined {
  return given.find((component) => typeOf(component) === type);
}

function typeOf(component: JsonObject): string | undefined {
  return textOf(component['type'])?.toLowerCase();
}
