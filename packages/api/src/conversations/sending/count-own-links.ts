import { removeLinks } from '@app/database/links/add-links';
import { writeLink } from '@app/database/links/link-code';
import { validateContent } from '@app/domain/conversations/content-rules';
import type { CountedLink } from '@app/domain/links/counted-link';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { countLinks } from '../../sending/count-links.ts';
import type { SendParts, SentContent } from './enqueue-contents.ts';
import type { Recipient } from './find-recipient.ts';

/**
 * A written message with counted links in place of its web addresses, for one contact. The conversation shows the addresses of a text. Where a counted
 * link would make the message too long for its channel, it stays as it was.
 */
export async function countOwnLinks(
  scope: WorkspaceScope,
  { channelKinds, publicUrl }: SendParts,
  { contact_id: contactId, channel_id: channelId, kind }: Recipient,
  written: SentContent,
): Promise<SentContent> {
  const { content } = written;
  if (publicUrl === undefined || content.type === 'template') return written;
  const rules = channelKinds.of({ kind }).capabilities;
  const counted = await countLinks(
    scope,
    { publicUrl },
    { content, variables: {}, businessName: '' },
    { message: { kind: 'text', text: '' }, rules, channelId, contactId, campaignId: null, isWanted: true },
  );
  if (counted === 'link_target_missing' || counted.linkIds.length === 0) return written;
  const filled = fillIn(counted.run.content, counted.run.links ?? {});
  if (validateContent(filled, rules) === null)
    return { ...written, content: filled, linkIds: counted.linkIds };
  await removeLinks(scope, counted.linkIds);
  return written;
}

/** With the code of the contact in place of each placeholder. Other braces stay: values that were filled in before may hold some. */
function fillIn<Value>(value: Value, links: Readonly<Record<string, CountedLink>>): Value {
  const texts = Object.entries(links).map(([name, link]) => [`{{${name}}}`, writeLink(link, 0)] as const);
  const fill = (one: unknown): unknown => {
    if (typeof one === 'string')
      return texts.reduce((text, [name, code]) => text.replaceAll(name, code), one);
    if (Array.isArray(one)) return one.map(fill);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, fill(part)]));
  };
  return fill(value) as Value; // of the same form: only texts differ
}
