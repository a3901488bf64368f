import { activityFacts } from '../activity/activity-facts.ts';
import { reportLinkFacts } from '../analytics/report-link-facts.ts';
import { apiKeyFacts } from '../api-keys/api-key-facts.ts';
import { accountFacts } from '../auth/account-facts.ts';
import { userFacts } from '../auth/user-facts.ts';
import { bulkMessageFacts } from '../bulk-message/bulk-message-facts.ts';
import { campaignFacts } from '../campaigns/campaign-facts.ts';
import { chatbotFacts } from '../chatbot/chatbot-facts.ts';
import { channelFacts } from '../channels/channel-facts.ts';
import { contactImportFacts } from '../contact-imports/contact-import-facts.ts';
import { contactMergeFacts } from '../contact-merges/contact-merge-facts.ts';
import { contactRemovalFacts } from '../contact-removals/contact-removal-facts.ts';
import { contactFacts } from '../contacts/contact-facts.ts';
import { conversionFacts } from '../conversions/conversion-facts.ts';
import { conversationFacts } from '../conversations/conversation-facts.ts';
import { customFieldFacts } from '../custom-fields/custom-field-facts.ts';
import { dataFacts } from '../data-management/data-facts.ts';
import { operationFacts } from '../operations/operation-facts.ts';
import { integrationFacts } from '../integrations/integration-facts.ts';
import { mediaFacts } from '../media/media-facts.ts';
import { inboxFacts } from '../conversations/inbox-facts.ts';
import { inboundFacts } from '../messaging/inbound-facts.ts';
import { messageFileFacts } from '../message-files/message-file-facts.ts';
import { notificationFacts } from '../notifications/notification-facts.ts';
import { quickReplyFacts } from '../quick-replies/quick-reply-facts.ts';
import { rcsMessageFacts } from '../rcs/rcs-message-facts.ts';
import { segmentFacts } from '../segments/segment-facts.ts';
import { settingsFacts } from '../settings/settings-facts.ts';
import { teamFacts } from '../teams/team-facts.ts';
import { templateFacts } from '../templates/template-facts.ts';
import { memberFacts } from '../users/member-facts.ts';
import { workflowFacts } from '../automation/workflow-facts.ts';
import { webhookEndpointFacts } from '../webhook-endpoints/webhook-endpoint-facts.ts';
import { workspaceFacts } from '../workspaces/workspace-facts.ts';
import type { FactDefinition, SubjectKind } from './fact-definition.ts';
import type { ValuesOf } from './fact-values.ts';

/** Every kind of fact: one line per feature. Their names are for ever, because rows, webhooks and automations keep them. */
export const factCatalogue = joinFacts(
  accountFacts,
  activityFacts,
  apiKeyFacts,
  bulkMessageFacts,
  campaignFacts,
  channelFacts,
  chatbotFacts,
  contactFacts,
  contactImportFacts,
  contactMergeFacts,
  contactRemovalFacts,
  conversationFacts,
  conversionFacts,
  customFieldFacts,
  dataFacts,
  inboundFacts,
  inboxFacts,
  integrationFacts,
  operationFacts,
  mediaFacts,
  messageFileFacts,
  notificationFacts,
  memberFacts,
  quickReplyFacts,
  reportLinkFacts,
  rcsMessageFacts,
  segmentFacts,
  settingsFacts,
  teamFacts,
  templateFacts,
  userFacts,
  workflowFacts,
  webhookEndpointFacts,
  workspaceFacts,
);

type Catalogue = typeof factCatalogue;
export type FactType = keyof Catalogue & string;
export type FactValues<Type extends FactType> = ValuesOf<Catalogue[Type]['values']>;

/** What a handler tells. `subject` is the id of what it is about; null where there is no single one. */
export type NewFact = {
  [Type in FactType]: { type: Type; subject: string | null; values: FactValues<Type> };
}[FactType];

export function isFactType(type: string): type is FactType {
  return Object.hasOwn(factCatalogue, type);
}

export function readDefinition(type: FactType): FactDefinition {
  return factCatalogue[type];
}

export const factTypes = Object.keys(factCatalogue) as FactType[]; // these are its keys
/** The facts that stand in the audit log, and so need words. */
export type AuditedFactType = {
  [Type in FactType]: Catalogue[Type]['audit'] extends null ? never : Type;
}[FactType];
export const auditedFactTypes = factTypes.filter(isAudited);

export function isAudited(type: FactType): type is AuditedFactType {
  return readDefinition(type).audit !== null;
}

/** Values that tell who somebody is, of every fact about one kind of subject. */
export function personalValues(kind: SubjectKind): string[] {
  const named = factTypes.map(readDefinition).filter(({ subject }) => subject === kind);
  return [...new Set(named.flatMap(({ personal }) => personal ?? []))];
}

/** The facts about one kind of subject that name more of them, in `otherIds`. */
export function typesNamingOthers(kind: SubjectKind): FactType[] {
  return factTypes.filter((type) => {
    const { subject, values } = readDefinition(type);
    return subject === kind && 'otherIds' in values;
  });
}

/** The facts that list subjects of one kind, and in which values. */
export function factsListing(kind: SubjectKind): { types: FactType[]; names: string[] } {
  const types = factTypes.filter((type) => readDefinition(type).lists?.kind === kind);
  return { types, names: [...new Set(types.flatMap((type) => readDefinition(type).lists?.values ?? []))] };
}

type Group = Record<string, FactDefinition>;
type Joined<Groups extends readonly Group[]> = Groups extends readonly [
  infer First,
  ...infer Rest extends readonly Group[],
]
  ? First & Joined<Rest>
  : unknown;

function joinFacts<Groups extends readonly Group[]>(...groups: Groups): Joined<Groups> {
  const joined: Group = {};
  for (const group of groups)
    for (const [type, definition] of Object.entries(group)) {
      if (joined[type]) throw new Error(`Two features define the fact ${type}.`);
      joined[type] = definition;
    }
  return joined as Joined<Groups>; // it holds the entries of all of them
}
