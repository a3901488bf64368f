import { newId } from '@app/database/new-id';
import type { ApiFixture } from '../api-fixture.ts';
import {
  leastInput,
  type ContractRoute,
  type Input,
  type InputChoices,
} from '../http-edge/contract-routes.ts';
import type { WorkspaceRows } from '../workspace-rows/workspace-rows.ts';

/** Of what row a field takes the id, where its name is not that of the row. */
const rowOfField: Record<string, string> = {
  ...{
    contactIds: 'contactId',
    excludedIds: 'contactId',
    survivorId: 'contactId',
    customPicks: 'contactId',
    after: 'contactId',
  },
  ...{
    name: 'contactId',
    phone: 'contactId',
    email: 'contactId',
    language: 'contactId',
    failedOf: 'campaignId',
    contentId: 'rcsMessageId',
  },
  ...{ segment: 'segmentId', field: 'fieldId', fieldIds: 'fieldId', customField: 'fieldId' },
  ...{
    messageIds: 'messageId',
    conversationIds: 'conversationId',
    botFlowIds: 'botFlowId',
    around: 'messageId',
    replyTo: 'messageId',
    id: 'mediaId',
    logo: 'logoId',
  },
  ...{
    assignee: 'userId',
    userIds: 'userId',
    teamIds: 'teamId',
    assigneeId: 'userId',
    agentId: 'userId',
    handOverTo: 'userId',
    teamAssignment: 'teamId',
  },
};

/** The id of a row that the field of this name asks for. */
export function idFor(rows: WorkspaceRows, { name: route }: { name: string }, field: string): string {
  const special = {
    'contacts.restore': 'deletedContactId',
    'profile.endSession': 'ownSessionId',
    'botKnowledge.readAgain': 'knowledgePageId',
  }[route];
  const name = special ?? rowOfField[field] ?? field;
  const id = rows[name];
  if (!id) throw new Error(`${route} takes an id as ${field}: make a row for it in workspace-rows.ts.`);
  return id;
}

let texts = 0;
let phones = 3_000_000;

/** The least that a route takes, about rows of the caller's own. */
export const aboutOwnRows = (own: WorkspaceRows, route: ContractRoute): InputChoices => ({
  ...leastInput,
  // Names are unique in a workspace.
  text: (field) =>
    ['phone', 'email', 'kind', 'triggerId', 'eventType'].includes(field)
      ? leastInput.text(field)
      : `Sample ${(texts += 1)}`,
  id: (field) => idFor(own, route, field),
});

const versioned: Record<string, string> = {
  noteId: 'conversation_notes',
  ...{ contactId: 'contacts', campaignId: 'campaigns', segmentId: 'segments', templateId: 'templates' },
  ...{
    conversationId: 'conversations',
    teamId: 'teams',
    fieldId: 'custom_fields',
    quickReplyId: 'quick_replies',
    rcsMessageId: 'rcs_messages',
    endpointId: 'webhook_endpoints',
    labelId: 'conversation_labels',
    viewId: 'conversation_views',
    workflowId: 'flows',
    botFlowId: 'flows',
    knowledgeId: 'bot_knowledge',
  },
};

/** What a schema cannot tell: rows as they stand now, and parts that must come together. */
export async function complete(
  { db: { systemPool }, workspaceId }: ApiFixture,
  own: WorkspaceRows,
  route: ContractRoute,
  input: Input,
): Promise<Input> {
  const readVersion = async (table: string, id: unknown) =>
    (await systemPool.query(`SELECT version FROM ${table} WHERE id = $1`, [id])).rows[0]?.version ?? 1;
  if (route.name === 'contactMerges.merge') {
    const [named] = input.contacts as [{ contactId: string }]; // what the schema makes
    const isOwn = named.contactId === own.contactId;
    const second = isOwn ? newId() : named.contactId;
    if (isOwn)
      await systemPool.query(
        `INSERT INTO contacts (id, workspace_id, name, phone) VALUES ($1, $2, 'Second of two', $3)`,
        [second, workspaceId, `+1415${String((phones += 1))}`],
      );
    const contacts = [own.contactId, second].map(async (contactId) => ({
      contactId,
      version: await readVersion('contacts', contactId),
    }));
    // One that was made before answers without a look at its contacts.
    const mergeId = input.mergeId === own.mergeId ? newId() : input.mergeId;
    return { ...input, mergeId, contacts: await Promise.all(contacts) };
  }
  const whole = { ...input };
  if (route.name === 'workflowRuns.enrol' && !('contactIds' in input) && !('audience' in input))
    whole.contactIds = [own.contactId];
  if (route.name === 'conversions.record') whole.contactId ??= own.contactId;
  if (Array.isArray(input.components)) {
    const others = input.components.filter(({ type }: { type: string }) => type !== 'body');
    whole.components = [...others, { type: 'body', text: 'Hello' }];
  }
  const [field, table] = Object.entries(versioned).find(([name]) => name in input) ?? [];
  if ('version' in input && field && table) whole.version = await readVersion(table, input[field]);
  return whole;
}
