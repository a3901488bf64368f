import { readConversionSettings } from '@app/database/conversions/conversion-settings';
import { addLinks } from '@app/database/links/add-links';
import { findContentType } from '@app/domain/channel-kinds/content-type';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { RunMessage } from '@app/domain/delivery/run-message';
import { linkBase } from '@app/domain/links/counted-link';
import { campaignParametersOf, tagLink } from '@app/domain/integrations/tagged-links';
import {
  rewriteLinks,
  type ApprovedButton,
  type Rewriting,
  type Rewritten,
} from '@app/domain/links/rewrite-links';
import { orderTemplateButtons } from '@app/domain/messaging/template-filling';
import { platformLanguage } from '@app/domain/templates/platform-name';
import { toChannelDraft } from '@app/domain/templates/template-content';
import type { ApiDependencies } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import type { ChosenMessage } from './choose-message.ts';

/** What is needed to begin to send: the kinds of channels, and the address under which links of messages lead here. */
export type SendingParts = Pick<ApiDependencies, 'channelKinds' | 'publicUrl'>;

type Of = {
  message: ChosenMessage;
  rules: ChannelCapabilities;
  channelId: string;
  campaignId: string | null;
  /** Of a message to one contact; null of a campaign. */
  contactId: string | null;
  /** Whether the campaign wants its links counted. */
  isWanted: boolean;
  /** Leaves everything as it is but buttons that lead here, which lead nowhere without a code. */
  isOnlyButtons?: boolean;
};

/** Puts counted links in place of those of a message and stores them, with their ids: `setRunOfLinks` names the run of a campaign later. */
export async function countLinks(
  scope: WorkspaceScope,
  parts: Pick<ApiDependencies, 'publicUrl'>,
  run: RunMessage,
  { message, rules, isWanted, isOnlyButtons = false, ...of }: Of,
): Promise<{ run: RunMessage; linkIds: string[] } | 'link_target_missing'> {
  const isOn = isWanted && (await readConversionSettings(scope, scope.workspaceId)).countsLinks;
  const tag = await findTags(scope, of);
  const rewritten = rewrite(parts, run, {
    ...{ message, rules, isOn: isOn && !isOnlyButtons },
    ...(tag && !isOnlyButtons && { tag }),
  });
  if (rewritten === 'no_target') return 'link_target_missing';
  if (rewritten.links.length === 0) return { run: rewritten.message, linkIds: [] };
  const base = linkBase(parts.publicUrl);
  const { ids, links } = await addLinks(
    scope,
    { base, found: rewritten.links },
    {
      ...{ ...of, workspaceId: scope.workspaceId, isCounted: isOn, at: scope.clock() },
      templateId: message.kind === 'template' ? message.template.id : null,
      contentId: message.kind === 'content' ? (message.stored?.id ?? null) : null,
    },
  );
  return { run: { ...rewritten.message, links }, linkIds: ids };
}

/** The tags of a campaign, where a connected service wants its visits tagged (topic `linkTags`). */
async function findTags(
  scope: WorkspaceScope,
  { campaignId, channelId }: Pick<Of, 'campaignId' | 'channelId'>,
): Promise<Rewriting['tag'] | null> {
  if (campaignId === null) return null;
  const { rows } = await scope.query<{ name: string; kind: string }>(
    `SELECT c.name, ch.kind FROM campaigns c JOIN channels ch ON ch.workspace_id = c.workspace_id AND ch.id = $3
      WHERE c.workspace_id = $1 AND c.id = $2 AND EXISTS (
        SELECT FROM integrations i WHERE i.workspace_id = $1 AND i.status <> 'disconnected' AND 'linkTags' = ANY (i.topics))`,
    [scope.workspaceId, campaignId, channelId],
  );
  const [found] = rows;
  if (!found) return null;
  const parameters = campaignParametersOf({ name: found.name, channelKind: found.kind });
  return (target) => tagLink(target, parameters);
}

/** Whether a button of the template leads through a counted link, and has no fixed web address to lead to. */
export function isTargetMissing(
  parts: Pick<ApiDependencies, 'publicUrl'>,
  run: RunMessage,
  of: Pick<Of, 'message' | 'rules'>,
): boolean {
  return rewrite(parts, run, { ...of, isOn: false }) === 'no_target';
}

/** Whether a template has a button that leads through a counted link. */
export function leadsHere(parts: Pick<ApiDependencies, 'publicUrl'>, message: ChosenMessage): boolean {
  if (message.kind !== 'template') return false;
  const base = linkBase(parts.publicUrl);
  return [message, ...message.others].some(({ template }) =>
    buttonsOf(template).some(({ url }) => url.startsWith(base)),
  );
}

function rewrite(
  parts: Pick<ApiDependencies, 'publicUrl'>,
  run: RunMessage,
  { message, rules, ...how }: Pick<Of, 'message' | 'rules'> & Pick<Rewriting, 'isOn' | 'tag'>,
): Rewritten | 'no_target' {
  const templates =
    message.kind === 'template' ? [message, ...message.others].map(({ template }) => template) : [];
  return rewriteLinks(run, {
    ...{ ownOrigin: new URL(parts.publicUrl).origin, base: linkBase(parts.publicUrl), ...how },
    mapLinksOf: (content) => findContentType(rules.contents ?? [], content)?.mapLinks,
    buttonsOf: ({ language }) => {
      const template = templates.find((one) => platformLanguage(one.language) === language);
      return template ? buttonsOf(template) : [];
    },
  });
}

type Template = Extract<ChosenMessage, { kind: 'template' }>['template'];

/** Its link buttons by their place in the message. */
function buttonsOf(template: Template): ApprovedButton[] {
  return orderTemplateButtons(toChannelDraft(template).buttons ?? []).flatMap((button, index) =>
    button.type === 'url' ? [{ index, text: button.text, url: button.url }] : [],
  );
}
