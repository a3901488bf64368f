import { cleanText } from '@app/domain/contacts/contact';
import { longestText, quickReplyLimits, readShortcut } from '@app/domain/quick-replies/quick-reply';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { QuickReply } from '../../shared/conversations/quick-replies.ts';
import type { ChosenMedia } from '../../shared/media/media-field.tsx';

/** A quick reply while it is edited. */
export type ReplyValues = {
  shortcut: string;
  title: string;
  text: string;
  /** As many fields as there can be buttons. */
  buttons: string[];
  media: ChosenMedia | null;
  folder: string;
  /** In which its variables are written out; empty for that of whoever sends it. */
  language: InterfaceLanguage | '';
  isShared: boolean;
};

export function valuesOf(reply: QuickReply | undefined): ReplyValues {
  const buttons = Array.from({ length: quickReplyLimits.buttons }, (_, index) => reply?.buttons[index] ?? '');
  return {
    ...{ shortcut: reply?.shortcut ?? '', title: reply?.title ?? '', text: reply?.text ?? '', buttons },
    ...{ media: reply?.media ?? null, folder: reply?.folder ?? '', language: reply?.language ?? '' },
    isShared: reply?.isShared ?? false,
  };
}

export type ReplyProblem = 'shortcut' | 'title' | 'text' | 'too_long' | 'buttons' | 'same_buttons';

/** Why it cannot be saved yet, the first reason. */
export function findReplyProblem(values: ReplyValues): ReplyProblem | null {
  const text = values.text.trim();
  const buttons = buttonsOf(values);
  if (readShortcut(values.shortcut) === undefined) return 'shortcut';
  if (cleanText(values.title) === '') return 'title';
  if (text === '' && buttons.length > 0) return 'buttons';
  if (text === '' && values.media === null) return 'text';
  if (text.length > longestOf(values)) return 'too_long';
  return new Set(buttons.map((button) => button.toLowerCase())).size < buttons.length ? 'same_buttons' : null;
}

/** In the words of the API. */
export function toInput(values: ReplyValues) {
  return {
    ...{
      shortcut: values.shortcut,
      title: values.title,
      text: values.text.trim(),
      isShared: values.isShared,
    },
    ...{ buttons: buttonsOf(values), mediaId: values.media?.id ?? null },
    folder: cleanText(values.folder) || null,
    language: values.language || null,
  };
}

export function longestOf(values: Pick<ReplyValues, 'buttons' | 'media'>): number {
  return longestText({ hasMedia: values.media !== null, buttons: buttonsOf(values) });
}

function buttonsOf({ buttons }: Pick<ReplyValues, 'buttons'>): string[] {
  return buttons.map(cleanText).filter((button) => button !== '');
}
