import { compileRunMessage, type RecipientFacts } from '@app/domain/delivery/run-message';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import {
  categoryOf,
  findMessage as findChosen,
  isSendable,
  runMessageOf,
} from '../sending/choose-message.ts';
import { findSender } from '../sending/find-sender.ts';
import { addFieldTypes, resolveVariables } from '../sending/message-variables.ts';
import { findMessage, type Message } from './conversation-messages.ts';
import { sendMessage, type SendParts, type SentContent } from './send-message.ts';

type Written =
  { text: string; replyTo?: string | undefined } | { templateId: string; variables: CampaignVariables };
type Of = { id: string; contactId: string; channelId: string };
type Unready = 'message_not_found' | 'template_not_found' | 'template_not_approved' | 'custom_field_unknown';
type Refused = Exclude<Awaited<ReturnType<typeof sendMessage>>, { id: string }>;

/** Sends what a person wrote or chose, filled for the contact. */
export async function sendInConversation(
  scope: WorkspaceScope,
  parts: SendParts,
  of: Of,
  written: Written,
): Promise<Message | Unready | Refused> {
  const content =
    'text' in written ? await readReply(scope, of, written) : await fillTemplate(scope, parts, of, written);
  if (typeof content === 'string') return content;
  const sent = await sendMessage(scope, parts, of.id, content, { purpose: 'reply' });
  if (typeof sent === 'string') return sent;
  return (await findMessage(scope, of, sent.id))!; // left in this transaction
}

async function readReply(
  scope: WorkspaceScope,
  of: Of,
  { text, replyTo }: { text: string; replyTo?: string | undefined },
): Promise<SentContent | 'message_not_found'> {
  const quoted = replyTo === undefined ? null : await findPlatformId(scope, of, replyTo);
  if (replyTo !== undefined && quoted === null) return 'message_not_found';
  const content = { type: 'text', body: text, ...(quoted !== null && { replyTo: quoted }) } as const;
  return { content, text, isMarketing: false };
}

/** Null for a message that is not of the conversation, or that the platform does not have yet. */
async function findPlatformId(scope: WorkspaceScope, of: Of, messageId: string): Promise<string | null> {
  const { rows } = await scope.query<{ id: string | null }>(
    `SELECT provider_message_id AS id FROM messages
      WHERE workspace_id = $1 AND contact_id = $2 AND channel_id = $3 AND id = $4`,
    [scope.workspaceId, of.contactId, of.channelId, messageId],
  );
  return rows[0]?.id ?? null;
}

async function fillTemplate(
  scope: WorkspaceScope,
  { channelKinds }: SendParts,
  of: Of,
  { templateId, variables }: { templateId: string; variables: CampaignVariables },
): Promise<SentContent | Unready> {
  const message = await findChosen(scope, { templateId });
  if (message.kind !== 'template') return 'template_not_found';
  const { rows: channels } = await scope.query<{ kind: string }>(
    'SELECT kind FROM channels WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, of.channelId],
  );
  const [channel] = channels;
  if (!channel) return 'template_not_approved';
  const rules = channelKinds.of(channel).capabilities;
  if (!isSendable(message, rules)) return 'template_not_approved';
  const resolved = await resolveVariables(scope, message, variables);
  if (resolved === 'custom_field_unknown') return resolved;
  const { businessName } = await findSender(scope, channelKinds);
  const run = runMessageOf(message, await addFieldTypes(scope, resolved), businessName, rules);
  const person = await readPerson(scope, of.contactId);
  const body = message.template.components.find(({ type }) => type === 'body');
  const line = compileRunMessage({
    ...run,
    content: { type: 'text', body: body && 'text' in body ? body.text : message.template.name },
  })(person);
  return {
    content: compileRunMessage(run)(person),
    text: line.type === 'text' ? line.body : message.template.name,
    isMarketing: categoryOf(message, rules) === 'marketing',
  };
}

async function readPerson(scope: WorkspaceScope, contactId: string): Promise<RecipientFacts> {
  const { rows } = await scope.query<RecipientFacts>(
    `SELECT name, coalesce(phone, '') AS phone, email, custom_values AS "customValues" FROM contacts WHERE workspace_id = $1 AND id = $2`,
    [scope.workspaceId, contactId],
  );
  return rows[0] ?? { name: '', phone: '', email: null };
}
