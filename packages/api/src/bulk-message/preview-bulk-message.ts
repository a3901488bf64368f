import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { previewAudience } from '@app/delivery/audience-preview';
import { chosenContactsSql, mayReceiveSql } from '@app/delivery/audience-sql';
import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import type { ChosenAudience } from '@app/domain/delivery/audience';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { compileRunMessage } from '@app/domain/delivery/run-message';
import { bodyTextOf, findComponent } from '@app/domain/templates/template';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { resolveAudience } from '../sending/audience-segments.ts';
import { categoryOf, type ChosenMessage } from '../sending/choose-message.ts';
import { findSender } from '../sending/find-sender.ts';
import { addFieldTypes, resolveVariables } from '../sending/message-variables.ts';

const SHOWN = 3;

type Preview = {
  audience: ChosenAudience;
  message: ChosenMessage;
  variables: CampaignVariables;
  channelId: string | null;
};
type PersonRow = {
  id: string;
  name: string;
  phone: string;
  email: string | null;
  customValues: CustomValues;
};

/** The message as the first three receivers will read it, filled by the same code that fills the real one. */
export async function previewBulkMessage(
  scope: ReadScope,
  kinds: ChannelKinds,
  { audience: planned, message, variables: wanted, channelId }: Preview,
) {
  const resolved = await resolveVariables(scope, message, wanted);
  if (resolved === 'custom_field_unknown') return resolved;
  const variables = await addFieldTypes(scope, resolved);
  const { audience } = await resolveAudience(scope, planned);
  const { channel, businessName, rules } = await findSender(scope, kinds, channelId);
  const { workspaceId } = scope;
  const category = categoryOf(message, rules);
  const sent = { category, channelId: channel?.id ?? null };
  const { receiving } = await previewAudience(scope, { workspaceId, audience, ...sent });
  const values: unknown[] = [];
  const chosen = chosenContactsSql(workspaceId, audience, values);
  const mayReceive = mayReceiveSql(sent, values);
  const { rows } = await scope.query<PersonRow>(
    `SELECT c.id, c.name, c.phone, c.email, c.custom_values AS "customValues" FROM contacts c
      WHERE ${chosen} AND ${mayReceive} ORDER BY c.id LIMIT ${SHOWN}`,
    values,
  );
  const { body, header } = textsOf(message);
  const compile = (text: string) => {
    const fill = compileRunMessage({ content: { type: 'text', body: text }, variables, businessName });
    return (person: PersonRow): string => {
      const content = fill(person);
      return content.type === 'text' ? content.body : text;
    };
  };
  const fillBody = compile(body);
  const fillHeader = header === null ? () => null : compile(header);
  return {
    total: receiving,
    messages: rows.map((person) => {
      const { id, name, phone } = person;
      return { contactId: id, name, phone, text: fillBody(person), header: fillHeader(person) };
    }),
  };
}

function textsOf(message: ChosenMessage): { body: string; header: string | null } {
  if (message.kind !== 'template') return { body: message.kind === 'text' ? message.text : '', header: null };
  const { components } = message.template;
  const header = findComponent(components, 'header');
  return { body: bodyTextOf(components), header: header?.format === 'text' ? header.text : null };
}
