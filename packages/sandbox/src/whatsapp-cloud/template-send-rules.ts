import { objectOf, objectsOf, textOf, type JsonObject } from '../core/json.ts';
import { GraphError } from './errors.ts';
import type { Template } from './store.ts';
import { buttonsOf, fillText, findComponent, parameterText, variablesIn } from './template-variables.ts';

/** Checks the parameters of a template send against the template; throws what the platform answers at once. */
export function checkTemplateSend(template: Template, content: JsonObject): void {
  checkStatus(template);
  const given = objectsOf(content['components']);
  checkHeader(template, findGiven(given, 'header'));
  checkBody(template, findGiven(given, 'body'));
  checkButtons(
    template,
    given.filter((component) => typeOf(component) === 'button'),
  );
  checkCards(template, findGiven(given, 'carousel'));
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

function checkHeader(template: Template, given: JsonObject | undefined): void {
  const header = findComponent(template.components, 'HEADER');
  const parameters = objectsOf(given?.['parameters']);
  if (!header) {
    if (parameters.length > 0) countMismatch('header', 0, parameters.length);
    return;
  }
  const format = (textOf(header['format']) ?? 'TEXT').toUpperCase();
  if (format === 'TEXT') return checkTexts(template, 'header', textOf(header['text']) ?? '', parameters);
  const parameter = parameters[0];
  const wanted = format.toLowerCase();
  if (!parameter)
    throw new GraphError(132012, {
      details: `header: Format mismatch, expected ${format}, received UNKNOWN`,
    });
  const received = textOf(parameter['type']);
  if (received !== wanted) {
    throw new GraphError(132012, {
      details: `header: Format mismatch, expected ${format}, received ${String(received).toUpperCase()}`,
    });
  }
  const content = objectOf(parameter[wanted]);
  const isComplete =
    format === 'LOCATION'
      ? content['latitude'] !== undefined
      : content['id'] || content['link'] || format === 'PRODUCT';
  if (!isComplete) throw new GraphError(132012, { details: `header: the ${wanted} has neither id nor link` });
}

function checkBody(template: Template, given: JsonObject | undefined): void {
  const parameters = objectsOf(given?.['parameters']);
  if (template.category === 'AUTHENTICATION') {
    if (parameters.length !== 1) countMismatch('body', 1, parameters.length);
    const code = parameterText(parameters[0] ?? {});
    if (code === '' || code.length > 15)
      throw new GraphError(132018, { details: 'the code must have 1 to 15 characters' });
    return;
  }
  const text = textOf(findComponent(template.components, 'BODY')?.['text']) ?? '';
  checkTexts(template, 'body', text, parameters);
  const hasOthers = template.components.length > 1;
  if (hasOthers && fillText(text, parameters).length > 1024) {
    throw new GraphError(132005, { details: 'body: the text is longer than 1024 characters once filled' });
  }
}

function checkTexts(template: Template, part: string, text: string, parameters: JsonObject[]): void {
  const variables = variablesIn(text);
  if (parameters.length !== variables.length) countMismatch(part, variables.length, parameters.length);
  for (const [position, parameter] of parameters.entries()) {
    const type = textOf(parameter['type']) ?? '';
    if (type !== 'text' && !(part === 'body' && (type === 'currency' || type === 'date_time'))) {
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

const givenTypeByButton: Record<string, string> = {
  QUICK_REPLY: 'payload',
  URL: 'text',
  OTP: 'text',
  COPY_CODE: 'coupon_code',
  FLOW: 'action',
  CATALOG: 'action',
  MPM: 'action',
};
const subTypeByButton: Record<string, string> = {
  OTP: 'url',
  VOICE_CALL: 'voice_call',
  PHONE_NUMBER: 'phone_number',
};

function checkButtons(template: Template, given: JsonObject[]): void {
  const buttons = buttonsOf(template.components);
  const filled = new Set<number>();
  for (const component of given) {
    const index = Number(component['index']);
    const button = Number.isInteger(index) ? buttons[index] : undefined;
    if (!button)
      throw new GraphError(132018, {
        details: `buttons: the template has no button at index ${String(component['index'])}`,
      });
    const type = (textOf(button['type']) ?? '').toUpperCase();
    const wanted = subTypeByButton[type] ?? type.toLowerCase();
    if (textOf(component['sub_type'])?.toLowerCase() !== wanted) {
      throw new GraphError(132018, { details: `buttons: button at index ${index} is of type ${wanted}` });
    }
    const parameter = objectsOf(component['parameters'])[0] ?? {};
    const parameterType = givenTypeByButton[type];
    if (parameterType && textOf(parameter['type']) !== parameterType) {
      throw new GraphError(132012, {
        details: `buttons: button at index ${index} needs a parameter of type ${parameterType}`,
      });
    }
    if (type === 'URL' && !hasVariable(button)) countMismatch('buttons', 0, 1);
    filled.add(index);
  }
  for (const [index, button] of buttons.entries()) {
    const type = textOf(button['type'])?.toUpperCase();
    const needsParameter = type === 'OTP' || type === 'COPY_CODE' || (type === 'URL' && hasVariable(button));
    if (needsParameter && !filled.has(index)) {
      throw new GraphError(131008, {
        details: `buttons: Button at index ${index} of type ${type} requires a parameter`,
      });
    }
  }
}

function checkCards(template: Template, given: JsonObject | undefined): void {
  const wanted = objectsOf(findComponent(template.components, 'CAROUSEL')?.['cards']).length;
  const received = objectsOf(given?.['cards']).length;
  if (wanted !== received) countMismatch('carousel cards', wanted, received);
}

function hasVariable(button: JsonObject): boolean {
  return variablesIn(textOf(button['url']) ?? '').length > 0;
}

function findGiven(given: JsonObject[], type: string): JsonObject | undefined {
  return given.find((component) => typeOf(component) === type);
}

function typeOf(component: JsonObject): string | undefined {
  return textOf(component['type'])?.toLowerCase();
}

function countMismatch(part: string, expected: number, received: number): never {
  throw new GraphError(132000, {
    details: `${part}: number of localizable_params (${received}) does not match the expected number of params (${expected})`,
  });
}
