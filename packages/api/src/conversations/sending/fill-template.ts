import { writeLink } from '@app/database/links/link-code';
import {
  compileMissingValue,
  compileRunMessage,
  fillPlaceholders,
  type RecipientFacts,
  type RunMessage,
} from '@app/domain/delivery/run-message';
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
import { countLinks, leadsHere } from '../../sending/count-links.ts';
import { findSender } from '../../sending/find-sender.ts';
import { addFieldTypes, resolveVariables } from '../../sending/message-variables.ts';
import { readRecipient } from '../read-recipient.ts';
import { templateVariables } from '@app/domain/templates/template-rendering';
import type { SendOptions, SendParts, SentContent } from './enqueue-contents.ts';

export type TemplateError =
  | 'template_not_found'
  | 'template_not_approved'
  | 'custom_field_unknown'
  | 'message_invalid';

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
  parts: Pick<SendParts, 'channelKinds' | 'publicUrl'>,
  of: { contactId: string; channelId: string; kind: string } & Pick<
    SendOptions,
    'campaign' | 'countsLinks' | 'needsValues'
  >,
  { templateId, variables, buttonIds, headerFile }: TemplateToFill,
): Promise<SentContent | TemplateError> {
  const { channelKinds, publicUrl } = parts;
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
  if (of.needsValues && compileMissingValue(run)(person) !== null) return 'message_invalid';
  const { campaign } = of;
  const isWhole = campaign !== undefined || of.countsLinks === true;
  const counted =
    publicUrl !== undefined && (isWhole || leadsHere({ publicUrl }, message))
      ? await countLinks(
          scope,
          { publicUrl },
          fixValues(run, templateVariables(message.template.components), person),
          {
            ...{ message, rules, contactId: of.contactId, channelId: of.channelId },
            ...{ campaignId: campaign?.id ?? null, isWanted: campaign?.countsLinks ?? true },
            isOnlyButtons: !isWhole,
          },
        )
      : { run, linkIds: [] };
  // A button leads through a counted link, and its value is no web address.
  if (counted === 'link_target_missing') return 'message_invalid';
  const body = message.template.components.find(({ type }) => type === 'body');
  const line = compileRunMessage({
    ...run,
    content: { type: 'text', body: body && 'text' in body ? body.text : message.template.name },
  })(person);
  return {
    content: nameTemplateButtons(
      compileRunMessage(counted.run)({ ...person, writeLink: (link) => writeLink(link, 0) }),
      message.template,
      buttonIds ?? [],
    ),
    linkIds: counted.linkIds,
    text: line.type === 'text' ? line.body : message.template.name,
    isMarketing: categoryOf(message, rules) === 'marketing',
  };
}

/** With the values of this person as texts: a link that differs for each contact is one address here. */
function fixValues(run: RunMessage, names: readonly string[], person: RecipientFacts): RunMessage {
  const filled = Object.entries(fillPlaceholders(run, names, person)).filter(
    ([, { from }]) => from !== 'nothing',
  );
  return {
    ...run,
    variables: {
      ...run.variables,
      ...Object.fromEntries(filled.map(([name, { text }]) => [name, { text }])),
    },
  };
}

function ownFile({ link, filename }: NonNullable<TemplateToFill['headerFile']>): HeaderFile {
  return { source: { link }, ...(filename !== undefined && { filename }) };
}
