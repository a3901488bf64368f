import type { CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { bindTo } from '@app/database/bind-value';
import { previewAudience } from '@app/delivery/audience-preview';
import { chosenContactsSql, mayReceiveSql } from '@app/delivery/audience-sql';
import { knowAudience } from '@app/delivery/known-audience';
import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import type { ChosenAudience } from '@app/domain/delivery/audience';
import { chooseLanguage } from '@app/domain/delivery/choose-language';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { fillPlaceholders, type RunMessage } from '@app/domain/delivery/run-message';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { bodyTextOf, findComponent } from '@app/domain/templates/template';
import { renderText } from '@app/domain/templates/template-rendering';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { resolveAudience } from '../sending/audience-segments.ts';
import { categoryOf, type ChosenMessage } from '../sending/choose-message.ts';
import { languagesOf, type StoredTemplate } from '../sending/message-languages.ts';
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
  language: string | null;
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
    `SELECT c.id, c.name, c.phone, c.email, c.language, c.custom_values AS "customValues" FROM contacts c
      WHERE ${chosen} AND ${mayReceive} AND ${isNext} ORDER BY c.id LIMIT ${SHOWN}`,
    values,
  );
  const total = after === undefined ? await previewAudience(scope, { workspaceId, audience, ...sent }) : null;
  const others = message.kind === 'template' ? languagesOf(message, rules).chosen : [];
  const inLanguages = others.map((one) => inLanguage({ ...one, message }));
  const main = inLanguage({ ...(message.kind === 'template' && message), message });
  return {
    total: total && total.receiving,
    next: rows.length < SHOWN ? null : (rows.at(-1)?.id ?? null),
    messages: rows.map((person) => {
      const { id, name, phone, language: wanted } = person;
      const code =
        main.language &&
        chooseLanguage(
          wanted,
          main.language,
          inLanguages.flatMap(({ language }) => language ?? []),
        );
      const { texts, names, sent, templateId } =
        inLanguages.find(({ language }) => language === code) ?? main;
      const asSent = { ...sent, variables, businessName };
      const filled = Object.entries(fillPlaceholders(asSent, names, person));
      const known = Object.fromEntries(
        filled.flatMap(([word, { text, from }]) => (from === 'nothing' ? [] : [[word, text]])),
      );
      return {
        ...{
          contactId: id,
          name,
          phone,
          values: known,
          templateId,
          language: inLanguages.length > 0 ? code : null,
        },
        text: renderText(texts.body, known),
        header: texts.header && renderText(texts.header, known),
        missing: filled.flatMap(([word, { text, from }]) =>
          from === 'value' ? [] : [{ name: word, instead: from === 'nothing' ? null : text }],
        ),
      };
    }),
  };
}

/** What a person reads of a message, or of one of its languages. */
function inLanguage({ message, template }: { message: ChosenMessage; template?: StoredTemplate }) {
  const one: ChosenMessage = message.kind === 'template' && template ? { ...message, template } : message;
  const language = template ? platformLanguage(template.language) : null;
  // Its language decides how days and numbers are written.
  const sent: Pick<RunMessage, 'content' | 'language'> = {
    content: { type: 'text', body: '' },
    ...(language !== null && { language }),
  };
  return {
    language,
    templateId: template?.id ?? null,
    texts: textsOf(one),
    names: placeholdersOf(one),
    sent,
  };
}

function textsOf(message: ChosenMessage): { body: string; header: string | null } {
  if (message.kind !== 'template') return { body: message.kind === 'text' ? message.text : '', header: null };
  const { components } = message.template;
  const header = findComponent(components, 'header');
  return { body: bodyTextOf(components), header: header?.format === 'text' ? header.text : null };
}
