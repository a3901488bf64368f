import { objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import { GraphError } from '../errors.ts';
import { checkProductSections } from '../messages/product-sections.ts';
import { variablesIn } from './template-variables.ts';

const givenTypeByButton: Record<string, string> = {
  QUICK_REPLY: 'payload',
  URL: 'text',
  OTP: 'text',
  COPY_CODE: 'coupon_code',
  FLOW: 'action',
  CATALOG: 'action',
  MPM: 'action',
};
const subTypeByButton: Record<string, string> = { OTP: 'url' };
/** A button of these kinds cannot be sent without its parameter. */
const needsParameter = new Set(['OTP', 'COPY_CODE', 'MPM']);

/** Checks the button parameters of a send against the buttons of the template or card. */
export function checkSentButtons(buttons: JsonObject[], given: JsonObject[], card: string): void {
  const part = `${card}buttons`;
  const filled = new Set<number>();
  for (const component of given) {
    const index = Number(component['index'] ?? Number.NaN);
    const button = Number.isInteger(index) ? buttons[index] : undefined;
    if (!button || filled.has(index))
      throw new GraphError(132018, {
        details: `${part}: the template has no button at index ${String(component['index'])}, or it is given twice`,
      });
    checkSentButton(button, component, index, part);
    filled.add(index);
  }
  for (const [index, button] of buttons.entries()) {
    const type = typeOf(button);
    if (!needsParameter.has(type) && !(type === 'URL' && hasVariable(button))) continue;
    if (!filled.has(index))
      throw new GraphError(131008, {
        details: `${part}: Button at index ${index} of type ${type} requires a parameter`,
      });
  }
}

function checkSentButton(button: JsonObject, component: JsonObject, index: number, part: string): void {
  const type = typeOf(button);
  const wanted = subTypeByButton[type] ?? type.toLowerCase();
  if (textOf(component['sub_type'])?.toLowerCase() !== wanted)
    throw new GraphError(132018, { details: `${part}: button at index ${index} is of type ${wanted}` });
  const parameters = objectsOf(component['parameters']);
  if (parameters.length > 1) countMismatch(part, 1, parameters.length);
  const parameter = parameters[0] ?? {};
  const parameterType = givenTypeByButton[type];
  if (parameterType && textOf(parameter['type']) !== parameterType)
    throw new GraphError(132012, {
      details: `${part}: button at index ${index} needs a parameter of type ${parameterType}`,
    });
  if (type === 'URL' && !hasVariable(button)) countMismatch(part, 0, 1);
  if (type === 'URL' || type === 'OTP') checkSuffix(parameter, part);
  if (type === 'COPY_CODE') checkCoupon(parameter, part);
  if (type === 'MPM') checkProducts(objectOf(parameter['action']), part);
}

function checkSuffix(parameter: JsonObject, part: string): void {
  if ((textOf(parameter['text']) ?? '') === '')
    throw new GraphError(131008, { details: `${part}: a parameter text is empty` });
}

function checkCoupon(parameter: JsonObject, part: string): void {
  const coupon = textOf(parameter['coupon_code']) ?? '';
  if (coupon === '') throw new GraphError(131008, { details: `${part}: coupon_code is missing` });
  if (!/^[A-Za-z0-9]{1,15}$/.test(coupon))
    throw new GraphError(132018, {
      details: `${part}: coupon_code must have 1 to 15 letters and digits`,
    });
}

function checkProducts(action: JsonObject, part: string): void {
  if (!textOf(action['thumbnail_product_retailer_id']))
    throw new GraphError(131008, { details: `${part}: thumbnail_product_retailer_id is missing` });
  checkProductSections(action['sections']);
}

function typeOf(button: JsonObject): string {
  return (textOf(button['type']) ?? '').toUpperCase();
}

function hasVariable(button: JsonObject): boolean {
  return variablesIn(textOf(button['url']) ?? '').length > 0;
}

export function countMismatch(part: string, expected: number, received: number): never {
  throw new GraphError(132000, {
    details: `${part}: number of localizable_params (${received}) does not match the expected number of params (${expected})`,
  });
}
