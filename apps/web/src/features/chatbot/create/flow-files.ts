import { listFlowReferences, type FlowReference } from '@app/domain/flows/check-flow';
import { FLOW_FORMAT_VERSION, flowLimits, type FlowFile } from '@app/domain/flows/flow-file';
import { api } from '../../../shared/api.ts';
import { saveBlob } from '../../../ui/controls/save-blob.ts';

/** What a flow refers to, by name: ids mean nothing in another workspace. */
export type NamedReference = Pick<FlowReference, 'kind' | 'id'> & { name: string };

/** The draft with the names of what it refers to; no value of a contact, and no secret, stands in it. */
export async function exportFlow(botFlowId: string): Promise<void> {
  const { flow } = await api.workflows.get({ workflowId: botFlowId });
  const references = await nameReferences(flow);
  const text = JSON.stringify({ ...flow, references }, null, 2);
  const name = flow.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'bot';
  saveBlob(new Blob([text], { type: 'application/json' }), `${name}.flow.json`);
}

/** One that is gone, or may not be seen, has no name. */
async function nameReferences(flow: FlowFile): Promise<NamedReference[]> {
  const unique = new Map(listFlowReferences(flow).map(({ kind, id }) => [`${kind} ${id}`, { kind, id }]));
  const named = await Promise.allSettled(
    [...unique.values()].map(async (one) => ({ ...one, name: (await findName(one)) ?? '' })),
  );
  return named.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

async function findName({ kind, id }: Pick<FlowReference, 'kind' | 'id'>): Promise<string | undefined> {
  switch (kind) {
    case 'template':
      return (await api.templates.get({ templateId: id })).name;
    case 'campaign':
      return (await api.campaigns.get({ campaignId: id })).name;
    case 'workflow':
      return (await api.workflows.get({ workflowId: id })).name;
    case 'bot_flow':
      return (await api.chatbot.listFlows({})).items.find((one) => one.id === id)?.name;
    case 'media':
      return (await api.media.get({ mediaId: id })).name;
    case 'custom_field':
      return (await api.customFields.list({})).items.find((one) => one.id === id)?.label;
    case 'channel':
      return (await api.channels.list({})).items.find((one) => one.id === id)?.displayName ?? undefined;
    case 'user':
      return (await api.conversations.listAssignees({})).people.find((one) => one.id === id)?.name;
    case 'team':
      return (await api.conversations.listAssignees({})).teams.find((one) => one.id === id)?.name;
    default:
      return undefined;
  }
}

export type ReadFile =
  | { problem: 'unreadable' | 'workflow' | 'tooLarge' }
  | { problem: 'newer'; found: number; known: number }
  | { problem: null; flow: FlowFile; references: readonly NamedReference[] };

/** What a file holds, or why it is none. The server looks at each of its parts when the draft is made. */
export function readFlowFile(text: string): ReadFile {
  if (text.length > flowLimits.file) return { problem: 'tooLarge' };
  let file: Partial<FlowFile> & { references?: unknown };
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    return { problem: 'unreadable' };
  }
  if (typeof file !== 'object' || file === null || file.format !== 'flow') return { problem: 'unreadable' };
  const { formatVersion, references, ...rest } = file;
  if (typeof formatVersion !== 'number') return { problem: 'unreadable' };
  if (formatVersion > FLOW_FORMAT_VERSION)
    return { problem: 'newer', found: formatVersion, known: FLOW_FORMAT_VERSION };
  if (file.kind !== 'bot') return { problem: file.kind === 'workflow' ? 'workflow' : 'unreadable' };
  if (!Array.isArray(file.steps) || !Array.isArray(file.triggers) || typeof file.name !== 'string')
    return { problem: 'unreadable' };
  return {
    problem: null,
    flow: { ...rest, formatVersion } as FlowFile, // the server reads it strictly
    references: Array.isArray(references) ? references.filter((one) => isNamedReference(one)) : [],
  };
}

function isNamedReference(value: unknown): value is NamedReference {
  const { kind, id, name } = (value ?? {}) as Record<string, unknown>;
  return [kind, id, name].every((part) => typeof part === 'string');
}

/** What a file refers to and is not here, each once, with the step or trigger and the field that it was found in first. */
export async function findMissing(flow: FlowFile): Promise<FlowReference[]> {
  const { problems } = await api.workflows.check({ flow });
  const gone = problems.filter(({ code }) => code === 'reference_gone').map(({ value }) => value);
  const missing = listFlowReferences(flow).filter(({ id }) => gone.includes(id));
  return missing.filter(
    ({ kind, id }, place) => missing.findIndex((one) => one.kind === kind && one.id === id) === place,
  );
}

/** The flow with another id in each place of one that is not here; without one the place is empty, and publishing asks for it. */
export function replaceReferences(flow: FlowFile, chosen: ReadonlyMap<string, string>): FlowFile {
  const places = listFlowReferences(flow).filter(({ kind, id }) => chosen.has(`${kind} ${id}`));
  const configOf = (of: string, place: string, config: FlowFile['steps'][number]['config']) => ({
    ...config,
    ...Object.fromEntries(
      places
        .filter((one) => one.of === of && one.place === place)
        .map(({ kind, id, field }) => [field, chosen.get(`${kind} ${id}`) ?? '']),
    ),
  });
  return {
    ...flow,
    steps: flow.steps.map((step) => ({ ...step, config: configOf(step.id, 'step', step.config) })),
    triggers: flow.triggers.map((one) => ({ ...one, config: configOf(one.id, 'trigger', one.config) })),
  };
}
