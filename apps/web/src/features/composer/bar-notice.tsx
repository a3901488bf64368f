import { FileText, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { Button } from '../../ui/button.tsx';
import type { Channel, WritingBar } from './writing-state.ts';

/** Why nothing can be written, and the way out. What was typed stays below it. */
export function BarNotice({
  bar,
  conversation,
  channel,
  hasText,
  onTemplate,
}: {
  bar: WritingBar;
  conversation: Conversation;
  channel: Channel | null | undefined;
  hasText: boolean;
  onTemplate: () => void;
}) {
  const { contact } = conversation;
  const toContact = (
    <ButtonLink size="small" to={paths.contact(contact.id)}>
      {t('composer.bar.openContact')}
    </ButtonLink>
  );
  const ways: Record<WritingBar, ReactNode> = {
    window: (
      <Button size="small" variant="primary" icon={<FileText aria-hidden />} onClick={onTemplate}>
        {t('composer.bar.chooseTemplate')}
      </Button>
    ),
    blocked: toContact,
    no_number: toContact,
    stopped: null,
    no_channel: null,
  };
  const isNew = conversation.lastInboundAt === null;
  const key = bar === 'window' && isNew ? 'never' : bar;
  return (
    <div
      role="status"
      className="mx-2 mt-1 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-warning-soft px-3 py-2 text-sm"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-56">
        {t(`composer.bar.${key}`, { name: contact.name, reason: channel?.stopped?.reason ?? '' })}
        {bar === 'window' && hasText ? ` ${t('composer.bar.textKept')}` : null}
      </p>
      {ways[bar]}
    </div>
  );
}
