import { listOf, objectOf, objectsOf, textOf, type JsonObject } from '../../core/json.ts';
import { GraphError } from '../errors.ts';

export interface LibraryTemplate {
  id: string;
  name: string;
  category: 'UTILITY' | 'AUTHENTICATION';
  topic: string;
  usecase: string;
  industry: string[];
  header?: string;
  body: string;
  bodyParams: string[];
  bodyParamTypes: string[];
  buttons: JsonObject[];
}

/** Texts ready to be used, as the platform keeps thousands. */
export const libraryTemplates: readonly LibraryTemplate[] = [
  {
    id: '710000000000001',
    name: 'sandbox_delivery_update',
    ...{
      category: 'UTILITY',
      topic: 'ORDER_MANAGEMENT',
      usecase: 'DELIVERY_UPDATE',
      industry: ['E_COMMERCE'],
    },
    header: 'Your delivery',
    body: 'Hello {{1}}, your order {{2}} has left our shop and comes on {{3}} to you.',
    bodyParams: ['Ann', 'A-17', 'Friday'],
    bodyParamTypes: ['TEXT', 'TEXT', 'DATE'],
    buttons: [{ type: 'URL', text: 'Track the delivery' }],
  },
  {
    id: '710000000000002',
    name: 'sandbox_payment_due',
    ...{
      category: 'UTILITY',
      topic: 'PAYMENTS',
      usecase: 'PAYMENT_DUE_REMINDER',
      industry: ['FINANCIAL_SERVICES'],
    },
    body: 'Hello {{1}}, your payment of {{2}} is due on {{3}}. Thank you for paying in time.',
    bodyParams: ['Ann', '£20.00', '1 March'],
    bodyParamTypes: ['TEXT', 'AMOUNT', 'DATE'],
    buttons: [
      { type: 'URL', text: 'Pay now' },
      { type: 'PHONE_NUMBER', text: 'Call us' },
    ],
  },
  {
    id: '710000000000003',
    name: 'sandbox_appointment_reminder',
    ...{
      category: 'UTILITY',
      topic: 'EVENT_REMINDER',
      usecase: 'APPOINTMENT_REMINDER',
      industry: ['HEALTH'],
    },
    body: 'Hello {{1}}, we look forward to seeing you on {{2}} at the agreed place.',
    bodyParams: ['Ann', '1 March'],
    bodyParamTypes: ['TEXT', 'DATE'],
    buttons: [{ type: 'QUICK_REPLY', text: 'Confirm' }],
  },
];

export function showLibraryTemplate(template: LibraryTemplate): JsonObject {
  const { bodyParams, bodyParamTypes, ...rest } = template;
  return { ...rest, language: 'en_US', body_params: bodyParams, body_param_types: bodyParamTypes };
}

/** A create call that names a library entry gets the entry's parts; any other is left as it is. */
export function fromLibrary(body: JsonObject): JsonObject {
  const name = textOf(body['library_template_name']);
  if (name === undefined) return body;
  const entry = libraryTemplates.find((template) => template.name === name);
  if (!entry) refuse(`There is no library template ${name}.`);
  if (textOf(body['category'])?.toUpperCase() !== entry.category)
    refuse(`The category of this library template is ${entry.category}.`);
  if (body['components'] !== undefined) refuse('A template of the library takes no components.');
  const inputs = objectsOf(body['library_template_button_inputs']);
  const buttons = entry.buttons.map((button) => buttonOf(button, inputs));
  const components: JsonObject[] = [
    ...(entry.header ? [{ type: 'HEADER', format: 'TEXT', text: entry.header }] : []),
    { type: 'BODY', text: entry.body, example: { body_text: [entry.bodyParams] } },
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
  ];
  return { ...body, components };
}

function buttonOf(button: JsonObject, inputs: JsonObject[]): JsonObject {
  const input = inputs.find((item) => textOf(item['type'])?.toUpperCase() === button['type']);
  if (button['type'] === 'PHONE_NUMBER') {
    const phone = textOf(input?.['phone_number']);
    if (!phone) refuse('library_template_button_inputs needs the phone_number of the PHONE_NUMBER button.');
    return { ...button, phone_number: phone };
  }
  if (button['type'] !== 'URL') return button;
  const url = objectOf(input?.['url']);
  const base = textOf(url['base_url']);
  if (!base) refuse('library_template_button_inputs needs the url of the URL button.');
  const example = textOf(url['url_suffix_example']);
  return { ...button, url: base, ...(example ? { example: listOf([example]) } : {}) };
}

function refuse(reason: string): never {
  throw new GraphError(100, {
    message: 'Invalid parameter',
    details: `library_template_name: ${reason}`,
    userTitle: 'Message template is not valid',
    userMessage: reason,
  });
}
