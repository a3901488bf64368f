import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { bindTo } from '@app/database/bind-value';
import { previewAudience } from '@app/delivery/audience-preview';
import { chosenContactsSql, mayReceiveSql } from '@app/delivery/audience-sql';
import { knowAudience } from '@app/delivery/known-audience';
import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import type { ChosenAudience } from '@app/domain/delivery/audience';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { fillPlaceholders, type RunMessage } from '@app/domain/delivery/run-message';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { bodyTextOf, findComponent } from '@app/domain/templates/template';
import { renderText } from '@app/domain/templates/template-rendering';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { resolveAudience } from '../sending/audience-segments.ts';
import { categoryOf, type ChosenMessage } from '../sending/choose-message.ts';
import { findSender } from '../sending/find-sender.ts';
import { addFieldTypes, placeholdersOf, resolveVariables } from '../sending/message-variables.ts';

const SHOWN = 10;

type Preview = {
  audience: ChosenAudience;
  message: ChosenMessage;
  variables: CampaignVariables;
  channelId: string | null;
  after?: string | undefined;
};
type PersonRow = {
  id: string;
  name: string;
  phone: string;
  email: string | null;
  customValues: CustomValues;
};

/** The message as the next of those who would get it will read it, filled by the same code that fills the real one. */
export async function previewBulkMessage(
  scope: ReadScope,
  kinds: ChannelKinds,
  { audience: planned, message, variables: wanted, channelId, after }: Preview,
) {
  const resolved = await resolveVariables(scope, message, wanted);
  if (resolved === 'custom_field_unknown') return resolved;
  const variables = await addFieldTypes(scope, resolved);
  const { workspaceId } = scope;
  const { audience: named } = await resolveAudience(scope, planned);
  const audience = await knowAudience(scope, workspaceId, named);
  const { channel, businessName, rules } = await findSender(scope, kinds, channelId);
  const sent = { category: categoryOf(message, rules), channelId: channel?.id ?? null };
  const values: unknown[] = [];
  const chosen = chosenContactsSql(workspaceId, audience, values);
  const mayReceive = mayReceiveSql(sent, values);
  const isNext = after === undefined ? 'true' : `c.id > ${bindTo(values)(after, 'uuid')}`;
  const { rows } = await scope.query<PersonRow>(
    `SELECT c.id, c.name, c.phone, c.email, c.custom_values AS "customValues" FROM contacts c
      WHERE ${chosen} AND ${mayReceive} AND ${isNext} ORDER BY c.id LIMIT ${SHOWN}`,
    values,
  );
  const total = after === undefined ? await previewAudience(scope, { workspaceId, audience, ...sent }) : null;
  const texts = textsOf(message);
  const names = placeholdersOf(message);
  const asSent = { ...asRunMessage(message), variables, businessName };
  return {
    total: total && total.receiving,
    next: rows.length < SHOWN ? null : (rows.at(-1)?.id ?? null),
    messages: rows.map((person) => {
      const { id, name, phone } = person;
      const filled = Object.entries(fillPlaceholders(asSent, names, person));
      const known = Object.fromEntries(
        filled.flatMap(([word, { text, from }]) => (from === 'nothing' ? [] : [[word, text]])),
      );
      return {
        ...{ contactId: id, name, phone, values: known },
        text: renderText(texts.body, known),
        header: texts.header && renderText(texts.header, known),
        missing: filled.flatMap(([word, { text, from }]) =>
          from === 'value' ? [] : [{ name: word, instead: from === 'nothing' ? null : text }],
        ),
      };
    }),
  };
}

/** Its language decides how days and numbers are written. */
function asRunMessage(message: ChosenMessage): Pick<RunMessage, 'content' | 'language'> {
  const content = { type: 'text', body: '' } as const;
  return message.kind === 'template'
    ? { content, language: platformLanguage(message.template.language) }
    : { content };
}

function textsOf(message: ChosenMessage): { body: string; header: string | null } {
  if (message.kind !== 'template') return { body: message.kind === 'text' ? message.text : '', header: null };
  const { components } = message.template;
  const header = findComponent(components, 'header');
  return { body: bodyTextOf(components), header: header?.format === 'text' ? header.text : null };
}
