import type { MessageContent, TemplateButtonParameter } from '../messaging/message-content.ts';
import { orderTemplateButtons } from '../messaging/template-filling.ts';
import { toChannelDraft, type SendableTemplate } from './template-content.ts';

/**
 * A template as it leaves, with ids for its quick replies: `ids` are by the place of the button in the stored template, null for one whose tap
 * comes back as the channel likes. Content without such buttons stays as it is.
 */
export function nameTemplateButtons(
  content: MessageContent,
  template: SendableTemplate,
  ids: readonly (string | null)[],
): MessageContent {
  if (content.type === 'interactive' && content.action.type === 'reply_buttons') {
    // They stand in the order of the template, which has no other buttons then.
    const buttons = content.action.buttons.map((button, place) => ({
      ...button,
      id: ids[place] ?? button.id,
    }));
    return { ...content, action: { type: 'reply_buttons', buttons } };
  }
  if (content.type !== 'template') return content;
  const drafted = toChannelDraft(template).buttons ?? [];
  const named = orderTemplateButtons(drafted).flatMap((button, index): TemplateButtonParameter[] => {
    const payload = ids[drafted.indexOf(button)];
    return button.type === 'quick_reply' && payload ? [{ type: 'quick_reply', index, payload }] : [];
  });
  if (named.length === 0) return content;
  const others = (content.buttons ?? []).filter(({ index }) => named.every((one) => one.index !== index));
  return { ...content, buttons: [...others, ...named].toSorted((a, b) => a.index - b.index) };
}
