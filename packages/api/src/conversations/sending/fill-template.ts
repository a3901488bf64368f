import { compileRunMessage } from '@app/domain/delivery/run-message';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import {
  categoryOf,
  findMessage as findChosen,
  isSendable,
  runMessageOf,
} from '../../sending/choose-message.ts';
import { findSender } from '../../sending/find-sender.ts';
import { addFieldTypes, resolveVariables } from '../../sending/message-variables.ts';
import { readRecipient } from '../read-recipient.ts';
import type { SendParts, SentContent } from '../send-message.ts';

export type TemplateRefusal = 'template_not_found' | 'template_not_approved' | 'custom_field_unknown';

/** A template as it leaves to one contact through one channel. */
export async function fillTemplate(
  scope: WorkspaceScope,
  { channelKinds }: Pick<SendParts, 'channelKinds'>,
  of: { contactId: string; channelId: string },
  { templateId, variables }: { templateId: string; variables: CampaignVariables },
): Promise<SentContent | TemplateRefusal> {
  const message = await findChosen(scope, { templateId }, of.channelId);
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
  const person = await readRecipient(scope, of.contactId);
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
