import type {
  ChannelTemplate,
  ChannelTemplateDraft,
  TemplateButtonDraft,
} from '@app/domain/messaging/channel-template';
import { orderTemplateButtons } from '@app/domain/messaging/template-filling';
import {
  findVariables,
  nameVariables,
  renameVariables,
  sortVariables,
} from '@app/domain/messaging/template-variables';
import { isRecord, textOf } from './json-reading.ts';

/** Body of `POST /{waba}/message_templates`. */
export function writeTemplateCreateBody(draft: ChannelTemplateDraft): Record<string, unknown> {
  return {
    name: draft.name,
    language: draft.language,
    category: draft.category.toUpperCase(),
    parameter_format: nameVariables(draft).format,
    components: writeTemplateComponents(draft),
  };
}

/** The `components` of a create or edit body, with an example for each variable. */
export function writeTemplateComponents(draft: ChannelTemplateDraft): Record<string, unknown>[] {
  const naming = nameVariables(draft);
  const { names } = naming;
  const sample = (variable: string) => draft.samples?.[variable] ?? variable;
  const components: Record<string, unknown>[] = [];

  if (draft.header?.format === 'text') {
    const variables = sortVariables(findVariables(draft.header.text), naming.format);
    components.push({
      type: 'HEADER',
      format: 'TEXT',
      text: renameVariables(draft.header.text, names),
      ...(variables.length > 0 && {
        example:
          naming.format === 'named'
            ? { header_text_named_params: describeNamedSamples(variables, names, sample) }
            : { header_text: variables.map(sample) },
      }),
    });
  } else if (draft.header?.format === 'location') {
    components.push({ type: 'HEADER', format: 'LOCATION' });
  } else if (draft.header !== undefined) {
    components.push({
      type: 'HEADER',
      format: draft.header.format.toUpperCase(),
      ...(draft.header.sampleHandle !== undefined && {
        example: { header_handle: [draft.header.sampleHandle] },
      }),
    });
  }

  const variables = sortVariables(findVariables(draft.body), naming.format);
  components.push({
    type: 'BODY',
    text: renameVariables(draft.body, names),
    ...(variables.length > 0 && {
      example:
        naming.format === 'named'
          ? { body_text_named_params: describeNamedSamples(variables, names, sample) }
          : { body_text: [variables.map(sample)] },
    }),
  });

  if (draft.footer !== undefined && draft.footer !== '')
    components.push({ type: 'FOOTER', text: draft.footer });
  if (draft.buttons !== undefined && draft.buttons.length > 0) {
    components.push({
      type: 'BUTTONS',
      buttons: orderTemplateButtons(draft.buttons).map((b) => describeButton(b, sample)),
    });
  }
  return components;
}

/** A template node of the platform in our terms; undefined when it has no id or name. */
export function readPlatformTemplate(node: unknown): ChannelTemplate | undefined {
  if (!isRecord(node)) return undefined;
  const id = textOf(node['id']);
  const name = textOf(node['name']);
  if (id === null || name === null) return undefined;
  const components = Array.isArray(node['components']) ? node['components'].filter(isRecord) : [];
  const find = (type: string) =>
    components.find((component) => textOf(component['type'])?.toUpperCase() === type);
  const buttons = find('BUTTONS')?.['buttons'];
  const quality = node['quality_score'];
  const rejected = textOf(node['rejected_reason']);
  return {
    id,
    name,
    language: (textOf(node['language']) ?? '').replace('-', '_'),
    status: (textOf(node['status']) ?? 'UNKNOWN').toUpperCase(),
    category: (textOf(node['category']) ?? '').toLowerCase(),
    quality: isRecord(quality) ? textOf(quality['score']) : null,
    rejectedReason: rejected === 'NONE' ? null : rejected,
    parameterFormat: textOf(node['parameter_format'])?.toUpperCase() === 'NAMED' ? 'named' : 'positional',
    header: readHeader(find('HEADER')),
    body: textOf(find('BODY')?.['text']) ?? '',
    footer: textOf(find('FOOTER')?.['text']),
    buttons: Array.isArray(buttons) ? buttons.filter(isRecord).map(readButton) : [],
  };
}

function describeNamedSamples(
  variables: readonly string[],
  names: ReadonlyMap<string, string>,
  sample: (variable: string) => string,
): Record<string, string>[] {
  return variables.map((name) => ({ param_name: names.get(name) ?? name, example: sample(name) }));
}

function describeButton(
  button: TemplateButtonDraft,
  sample: (variable: string) => string,
): Record<string, unknown> {
  switch (button.type) {
    case 'quick_reply':
      return { type: 'QUICK_REPLY', text: button.text };
    case 'phone_number':
      return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phoneNumber };
    case 'url': {
      const [variable] = findVariables(button.url);
      const url = renameVariables(button.url, new Map([[variable ?? '', '1']]));
      return {
        type: 'URL',
        text: button.text,
        url,
        ...(variable !== undefined && { example: [sample(variable)] }),
      };
    }
  }
}

function readHeader(header: Record<string, unknown> | undefined): ChannelTemplate['header'] {
  if (header === undefined) return null;
  const format = textOf(header['format'])?.toLowerCase();
  if (format === 'text') return { format, text: textOf(header['text']) ?? '' };
  const known = format === 'image' || format === 'video' || format === 'document' || format === 'location';
  return { format: known ? format : 'other' };
}

function readButton(button: Record<string, unknown>): ChannelTemplate['buttons'][number] {
  const text = textOf(button['text']) ?? '';
  const vendorType = textOf(button['type']) ?? '';
  switch (vendorType.toUpperCase()) {
    case 'QUICK_REPLY':
      return { type: 'quick_reply', text };
    case 'URL':
      return { type: 'url', text, url: textOf(button['url']) ?? '' };
    case 'PHONE_NUMBER':
      return { type: 'phone_number', text, phoneNumber: textOf(button['phone_number']) ?? '' };
    default:
      return { type: 'other', vendorType, text };
  }
}
