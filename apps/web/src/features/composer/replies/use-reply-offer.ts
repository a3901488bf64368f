import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { api, orpc } from '../../../shared/api.ts';
import type { Conversation } from '../../../shared/conversations/conversations-queries.ts';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { notify } from '../../../ui/toast.ts';
import { editField, selectionOf } from '../../../shared/writing/edit-field.ts';
import { findSlashWord, insertText, type MarkedSelection } from '../../../shared/writing/text-marks.ts';
import { replySuggestion, useQuickReplies, type FilledReply } from './use-quick-replies.tsx';
import type { Reply } from '../use-reply.ts';
import type { Offer } from '../field/writing-field.tsx';
import { inWorkspace } from '../../../shared/workspaces/tab-workspace.ts';

/** Quick replies for what is typed behind the slash, and what taking one puts into the answer. */
export function useReplyOffer({
  conversation,
  reply,
  field,
  isOn,
  selection,
  onMissing,
}: {
  conversation: Conversation;
  reply: Reply;
  field: RefObject<HTMLTextAreaElement | null>;
  isOn: boolean;
  selection: MarkedSelection;
  /** Something is not known of the contact, and asked for first. */
  onMissing: (filled: FilledReply) => void;
}): { offer: Offer | null; take: (filled: FilledReply, text: string) => void } {
  const queryClient = useQueryClient();
  const slash = isOn ? findSlashWord(selection) : null;
  const replies = useQuickReplies(conversation.contact.id, slash?.word ?? null);

  function take({ reply: { id: quickReplyId, media, buttons } }: FilledReply, text: string) {
    const area = field.current;
    if (area) {
      const word = findSlashWord(selectionOf(area)) ?? slash;
      const at = word ? { text: area.value, start: word.start, end: word.end } : selectionOf(area);
      editField(area, insertText(at, text));
    }
    if (buttons.length > 0) reply.setButtons(buttons);
    if (media) void attach(media);
    api.quickReplies
      .countUse({ quickReplyId })
      .then(() => queryClient.invalidateQueries({ queryKey: orpc.quickReplies.key() }))
      .catch(() => undefined); // It only orders the list.
  }

  async function attach({ url, name, mimeType }: NonNullable<FilledReply['reply']['media']>) {
    try {
      const response = await fetch(inWorkspace(url));
      if (!response.ok) throw new Error('The file cannot be read.');
      reply.attachments.add([new File([await response.blob()], name, { type: mimeType })]);
    } catch {
      notify.error(t('composer.file.notLoaded', { name }));
    }
  }

  const offer: Offer | null =
    slash && replies
      ? {
          label: t('composer.quickReplies'),
          empty: t('composer.quickReply.none'),
          footer: { label: t('composer.quickReply.manage'), path: paths.quickReplies },
          items: replies.map(replySuggestion),
          pick(index) {
            const filled = replies[index];
            if (!filled) return;
            if ([...filled.values.values()].includes(null)) onMissing(filled);
            else take(filled, filled.text);
          },
        }
      : null;
  return { offer, take };
}
