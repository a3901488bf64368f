import type { ChannelCapabilities } from '../channels/channel-capabilities.ts';
import { findContentType } from '../channel-kinds/content-type.ts';
import type { MessageContent } from '../messaging/message-content.ts';
import { bodyTextOf, findComponent, type TemplateButton, type TemplateComponent } from './template.ts';

type Limits = Pick<ChannelCapabilities, 'replyButtons' | 'linkButtons' | 'contents'>;

/**
 * A template as an ordinary message, for channels whose platform keeps no templates: what it says is the same, with buttons where
 * the channel has them. Placeholders stay as they are, to be filled for each person.
 */
export function templateAsMessage(components: readonly TemplateComponent[], limits: Limits): MessageContent {
  const own = findComponent(components, 'content');
  if (own && findContentType(limits.contents, own)) return { ...own, type: 'kind_content' };
  const header = findComponent(components, 'header');
  const title = header?.format === 'text' ? header.text : undefined;
  const body = bodyTextOf(components);
  const footer = findComponent(components, 'footer')?.text;
  const buttons = findComponent(components, 'button')?.buttons ?? [];
  const action = actionOf(buttons, body, limits);
  if (action === null) {
    // Answers that nobody can tap are left out: people write them by themselves.
    const links = buttons.flatMap((button) => lineOf(button) ?? []);
    return { type: 'text', body: paragraphs(title, body, links.join('\n'), footer) };
  }
  return {
    ...{ type: 'interactive', body, action },
    ...(title !== undefined && { header: { type: 'text', text: title } }),
    ...(footer !== undefined && { footer }),
  };
}

/** The buttons of the channel, where it has them for all of these; else null. */
function actionOf(buttons: readonly TemplateButton[], body: string, { replyButtons, linkButtons }: Limits) {
  const replies = buttons.flatMap((button) => (button.type === 'quick_reply' ? [button.text] : []));
  if (replies.length > 0 && replies.length === buttons.length && replyButtons) {
    const { most, longestTitle, longestBody } = replyButtons;
    const fits = replies.length <= most && replies.every((text) => text.length <= longestTitle);
    if (fits && body.length <= longestBody)
      return {
        type: 'reply_buttons',
        buttons: replies.map((text, index) => ({ id: String(index), title: text })),
      } as const;
  }
  const [link, ...others] = buttons;
  return linkButtons && link?.type === 'url' && others.length === 0
    ? ({ type: 'link_button', label: link.text, url: link.url } as const)
    : null;
}

function lineOf(button: TemplateButton): string | null {
  if (button.type === 'url') return `${button.text}: ${button.url}`;
  return button.type === 'phone_number' ? `${button.text}: ${button.phone_number}` : null;
}

function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}
