import { listOf, objectOf, textOf, type JsonObject } from '../../core/json.ts';
import type { Platform } from '../platform.ts';
import type { Template } from '../store.ts';
import type { NodeType } from './node-type.ts';
import { healthOf } from './number-node.ts';

export const templateNode: NodeType<Template> = {
  name: 'WhatsAppMessageTemplate',
  usual: ['name', 'parameter_format', 'components', 'language', 'status', 'category', 'sub_category'],
  fields: {
    id: (template) => template.id,
    bid_spec: () => undefined,
    category: (template) => template.category,
    components: (template, { platform, origin }) =>
      template.components.map((component) => withSampleAddress(platform, component, origin)),
    correct_category: (template) => template.correctCategory,
    creation_time: (template) => Math.floor(template.createdAt / 1000),
    cta_url_link_tracking_opted_out: () => false,
    degrees_of_freedom_spec: () => undefined,
    display_format: () => undefined,
    health_status: (template) =>
      healthOf([['MESSAGE_TEMPLATE', template.id, template.status === 'APPROVED']]),
    is_primary_device_delivery_only: () => false,
    language: (template) => template.language,
    last_updated_time: (template) =>
      new Date(template.edits.at(-1) ?? template.createdAt).toISOString().replace(/\.\d+Z$/, '+0000'),
    library_template_name: (template) => template.libraryName,
    message_send_ttl_seconds: (template) => template.ttlSeconds,
    name: (template) => template.name,
    optimization_spec: () => undefined,
    parameter_format: (template) => template.parameterFormat,
    previous_category: (template) => template.previousCategory,
    quality_score: (template) => ({
      score: template.qualityScore,
      date: Math.floor(template.createdAt / 1000),
    }),
    rejected_reason: (template) => template.rejectedReason,
    rejection_info: () => undefined,
    source: () => undefined,
    specific_rejection_reason: () => undefined,
    status: (template) => template.status,
    sub_category: () => undefined,
  },
};

// Reads show an address of the sample, not the upload handle that the create call had.
function withSampleAddress(platform: Platform, component: JsonObject, origin: string): JsonObject {
  if (Array.isArray(component['cards'])) {
    const cards = listOf(component['cards']).map((card) => ({
      ...objectOf(card),
      components: listOf(objectOf(card)['components']).map((part) =>
        withSampleAddress(platform, objectOf(part), origin),
      ),
    }));
    return { ...component, cards };
  }
  if (String(component['type']).toUpperCase() !== 'HEADER' || component['format'] === 'TEXT')
    return component;
  const handle = textOf(listOf(objectOf(component['example'])['header_handle'])[0]) ?? '';
  if (!platform.store.handles.has(handle)) return component;
  return {
    ...component,
    example: { header_handle: [`${origin}/_sandbox/whatsapp/samples/${encodeURIComponent(handle)}`] },
  };
}
