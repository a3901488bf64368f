import type { ChannelCapabilities } from '../channels/channel-capabilities.ts';
import { findContentType, type ContentFault, type ContentType } from '../channel-kinds/content-type.ts';
import type { KindContent, MessageContent } from '../messaging/message-content.ts';

/** Why a kind of channel does not take a message; `n` is the limit that it goes beyond. */
export type ContentError =
  | { code: 'message_kind_unsupported' }
  | { code: 'message_too_long'; n: number }
  | { code: 'message_content_invalid'; fault: ContentFault };

const unsupported: ContentError = { code: 'message_kind_unsupported' };

/** What the channel says of a message before it is left; null when it takes it. Characters are counted as the platform does: UTF-16 units. */
export function validateContent(
  content: MessageContent,
  rules: Pick<
    ChannelCapabilities,
    'text' | 'media' | 'replyButtons' | 'lists' | 'linkButtons' | 'contents' | 'reactions' | 'quotes'
  >,
): ContentError | null {
  if ('replyTo' in content && content.replyTo !== undefined && !rules.quotes) return unsupported;
  switch (content.type) {
    case 'text':
      return atMost(content.body, rules.text.longest);
    case 'media': {
      const rule = rules.media[content.kind];
      if (!rule) return unsupported;
      return atMost(content.caption ?? '', rule.longestCaption);
    }
    case 'reaction':
      return rules.reactions ? null : unsupported;
    case 'interactive':
      return validateInteractive(content.body, content.action, rules);
    case 'kind_content':
      return judgeKindContent(content, rules.contents);
    case 'template':
    case 'location':
    case 'contacts':
      return null;
  }
}

function judgeKindContent(content: KindContent, contents: readonly ContentType[]): ContentError | null {
  const read = findContentType(contents, content)?.read(content.value);
  if (!read) return unsupported;
  const [fault] = 'faults' in read ? read.faults : [];
  return fault ? { code: 'message_content_invalid', fault } : null;
}

function validateInteractive(
  body: string,
  action: Extract<MessageContent, { type: 'interactive' }>['action'],
  { replyButtons, lists, linkButtons }: Pick<ChannelCapabilities, 'replyButtons' | 'lists' | 'linkButtons'>,
): ContentError | null {
  switch (action.type) {
    case 'reply_buttons':
      if (!replyButtons || action.buttons.length > replyButtons.most) return unsupported;
      return (
        atMost(body, replyButtons.longestBody) ??
        firstOf(action.buttons, ({ title }) => atMost(title, replyButtons.longestTitle))
      );
    case 'list': {
      if (!lists || action.sections.length > lists.mostSections) return unsupported;
      const rows = action.sections.flatMap((section) => section.rows);
      if (rows.length > lists.mostRows) return unsupported;
      return (
        atMost(body, lists.longestBody) ??
        firstOf(action.sections, ({ title }) => atMost(title ?? '', lists.longestTitle)) ??
        firstOf(
          rows,
          ({ title, description }) =>
            atMost(title, lists.longestTitle) ?? atMost(description ?? '', lists.longestDescription),
        )
      );
    }
    case 'link_button':
      return linkButtons ? null : unsupported;
    default:
      return null;
  }
}

function atMost(text: string, n: number): ContentError | null {
  return text.length <= n ? null : { code: 'message_too_long', n };
}

function firstOf<Item>(items: readonly Item[], judge: (item: Item) => ContentError | null) {
  for (const item of items) {
    const refusal = judge(item);
    if (refusal) return refusal;
  }
  return null;
}

/** One line of a message of ours for lists; that of a text is the text itself. */
export function lineOfContent(content: MessageContent): string {
  switch (content.type) {
    case 'text':
      return content.body;
    case 'media':
      return content.caption ?? content.filename ?? `[${content.kind}]`;
    case 'location':
      return (
        content.location.name ?? `[location] ${content.location.latitude}, ${content.location.longitude}`
      );
    case 'contacts':
      return content.contacts.map(({ formattedName }) => formattedName).join(', ');
    case 'reaction':
      return content.emoji;
    case 'interactive':
      return content.body;
    case 'template':
      return content.name;
    case 'kind_content':
      // Its own line is said by its content type, where the channel is known.
      return `[${content.contentType}]`;
  }
}
