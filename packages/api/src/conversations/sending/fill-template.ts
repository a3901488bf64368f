import { compileRunMessage } from '@app/domain/delivery/run-message';
import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { nameTemplateButtons } from '@app/domain/templates/template-choice-ids';
import type { HeaderFile } from '@app/domain/templates/template-content';
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
import type { SendParts, SentContent } from './enqueue-contents.ts';

export type TemplateError = 'template_not_found' | 'template_not_approved' | 'custom_field_unknown';

type TemplateToFill = {
  templateId: string;
  variables: CampaignVariables;
  /** By the place of the button in the template; null where it keeps the id of the channel. */
  buttonIds?: readonly (string | null)[] | undefined;
  /** In place of the file of the template's header. */
  headerFile?: { link: string; filename?: string | undefined } | undefined;
};

/** A template as it leaves to one contact through one channel. */
export async function fillTemplate(
  scope: WorkspaceScope,
  { channelKinds }: Pick<SendParts, 'channelKinds'>,
  of: { contactId: string; channelId: string; kind: string },
  { templateId, variables, buttonIds, headerFile }: TemplateToFill,
): Promise<SentContent | TemplateError> {
  const chosen = await findChosen(scope, { templateId }, of.channelId);
  if (chosen.kind !== 'template') return 'template_not_found';
  const message = headerFile ? { ...chosen, headerFile: ownFile(headerFile) } : chosen;
  const rules = channelKinds.of(of).capabilities;
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
    content: nameTemplateButtons(compileRunMessage(run)(person), message.template, buttonIds ?? []),
    text: line.type === 'text' ? line.body : message.template.name,
    isMarketing: categoryOf(message, rules) === 'marketing',
  };
}

function ownFile({ link, filename }: NonNullable<TemplateToFill['headerFile']>): HeaderFile {
  return { source: { link }, ...(filename !== undefined && { filename }) };
}
