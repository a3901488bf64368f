import { createElement } from 'react';
import { renderTemplate } from '@app/domain/templates/template-rendering';
import { bodyTextOf, findComponent, type TemplateComponent } from '@app/domain/templates/template';
import type { MessageButton, PhoneMessage } from '../../../ui/phone/phone-preview.tsx';
import { KindContent } from '../../../shared/channel-kinds/kind-content.tsx';
import { inWorkspace } from '../../../shared/workspaces/tab-workspace.ts';

const buttonKinds = { quick_reply: 'reply', url: 'url', phone_number: 'phone' } as const;

/** A template as the phone shows it; placeholders without a value stay visible. */
export function templateToPhone(
  components: readonly TemplateComponent[],
  values: Readonly<Record<string, string>> = {},
): PhoneMessage {
  const filled = renderTemplate(components, values);
  const header = findComponent(filled, 'header');
  const buttons = findComponent(filled, 'button')?.buttons ?? [];
  return {
    header:
      header === undefined
        ? undefined
        : header.format === 'text'
          ? { type: 'text', text: header.text }
          : {
              type: header.format,
              url: header.media ? mediaAddress(header.media.id) : undefined,
              fileName: header.media?.name,
            },
    body: bodyTextOf(filled),
    footer: findComponent(filled, 'footer')?.text,
    content: contentOf(filled),
    buttons: buttons.map((button): MessageButton => ({ type: buttonKinds[button.type], text: button.text })),
  };
}

/** What a channel of that kind sends in place of everything else. */
function contentOf(components: readonly TemplateComponent[]) {
  const own = findComponent(components, 'content');
  if (!own) return undefined;
  const { kind: channelKind, contentType, value } = own;
  return createElement(KindContent, { channelKind, contentType, value, fallback: bodyTextOf(components) });
}

function mediaAddress(mediaId: string): string {
  return inWorkspace(`/api/media/${mediaId}/content`);
}
