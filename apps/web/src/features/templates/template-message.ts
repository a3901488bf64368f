import { renderTemplate } from '@app/domain/templates/template-rendering';
import { bodyTextOf, findComponent, type TemplateComponent } from '@app/domain/templates/template';
import type { MessageButton, WhatsAppMessage } from '../../ui/phone-preview.tsx';

const buttonKinds = { quick_reply: 'reply', url: 'url', phone_number: 'phone' } as const satisfies Record<
  string,
  MessageButton['type']
>;

/** What the phone shows of a template with these values. */
export function toPreviewMessage(
  components: readonly TemplateComponent[],
  values: Readonly<Record<string, string>> = {},
): WhatsAppMessage {
  const rendered = renderTemplate(components, values);
  const header = findComponent(rendered, 'header');
  const buttons = findComponent(rendered, 'button')?.buttons ?? [];
  return {
    header: header && {
      type: header.format,
      ...(header.format === 'text'
        ? { text: header.text }
        : { url: header.media ? mediaAddress(header.media.id) : undefined, fileName: header.media?.name }),
    },
    body: bodyTextOf(rendered),
    footer: findComponent(rendered, 'footer')?.text,
    buttons: buttons.map((button) => ({ type: buttonKinds[button.type], text: button.text })),
  };
}

export function mediaAddress(mediaId: string): string {
  return `/api/media/${mediaId}/content`;
}
