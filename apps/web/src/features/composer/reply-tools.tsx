import { Camera, ContactRound, FileText, MapPin, Mic, Paperclip, Plus, Zap } from 'lucide-react';
import { useRef, type ChangeEvent, type RefObject } from 'react';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { WordButton } from '../../ui/controls/word-button.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { acceptedTypes } from './files/chosen-file.ts';
import { editField, selectionOf } from '../../shared/writing/edit-field.ts';
import { EmojiButton } from '../../shared/writing/emoji-button.tsx';
import { markField, markList } from '../../shared/writing/mark-list.tsx';
import { useSendsOnEnter } from './field/send-key.ts';
import { insertText, type TextMark } from '../../shared/writing/text-marks.ts';
import type { Channel } from './writing-state.ts';

/** What is chosen in a dialog, and leaves as a message of its own. */
export type ReplyDialogName = 'template' | 'place' | 'card';

/** What stands below the text: in a row on a desk, behind a plus on a telephone. */
export function ReplyTools({
  field,
  isOn,
  onDialog,
  onQuickReplies,
  onFiles,
  onVoice,
  channel,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Only a template can be sent while it is off. */
  isOn: boolean;
  onDialog: (dialog: ReplyDialogName) => void;
  onQuickReplies: () => void;
  onFiles: (files: File[]) => void;
  onVoice: () => void;
  channel: Channel | null | undefined;
}) {
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const hasCamera = useMediaQuery('(pointer: coarse)');
  const isNarrow = useMediaQuery('(max-width: 639px)');
  const [sendsOnEnter, chooseSendKey] = useSendsOnEnter();
  const apply = (mark: TextMark) => {
    if (field.current) markField(field.current, mark);
  };
  const marks = channel?.capabilities.textStyles === false ? [] : markList;
  const markEntries: MenuEntry[] = marks.map(({ mark, icon, keys }) => ({
    ...{ label: t(`writing.mark.${mark}`), icon, shortcut: keys },
    disabled: !isOn,
    onSelect: () => apply(mark),
  }));
  const tools: MenuEntry[] = [
    {
      label: t('composer.quickReplies'),
      icon: <Zap />,
      onSelect: onQuickReplies,
      disabled: !isOn,
      shortcut: '/',
    },
    { label: t('composer.template'), icon: <FileText />, onSelect: () => onDialog('template') },
  ];
  const attach: MenuEntry = {
    ...{ label: t('composer.file.attach'), icon: <Paperclip />, disabled: !isOn },
    onSelect: () => files.current?.click(),
  };
  const takePicture: MenuEntry = {
    ...{ label: t('composer.file.camera'), icon: <Camera />, disabled: !isOn },
    onSelect: () => camera.current?.click(),
  };
  const entries: MenuEntry[] = [
    ...(hasCamera ? [takePicture] : []),
    ...(isNarrow ? [attach, ...tools] : []),
    { label: t('composer.place'), icon: <MapPin />, disabled: !isOn, onSelect: () => onDialog('place') },
    { label: t('composer.card'), icon: <ContactRound />, disabled: !isOn, onSelect: () => onDialog('card') },
    'separator',
    ...(markEntries.length > 0 ? [...markEntries, 'separator' as const] : []),
    {
      label: t('composer.sendsOnEnter'),
      checked: sendsOnEnter,
      onSelect: () => chooseSendKey(!sendsOnEnter),
    },
  ];
  const chosen = (event: ChangeEvent<HTMLInputElement>) => {
    const list = [...(event.target.files ?? [])];
    // The same file can be chosen again after it was taken away.
    event.target.value = '';
    if (list.length > 0) onFiles(list);
    field.current?.focus();
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t('composer.file.attach')}
        accept={channel ? acceptedTypes(channel.capabilities) : undefined}
        onChange={chosen}
      />
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/jpeg,video/mp4"
        capture="environment"
        onChange={chosen}
      />
      <Menu
        align="start"
        trigger={
          <IconButton label={t('composer.more')}>
            <Plus aria-hidden />
          </IconButton>
        }
        entries={entries}
      />
      <EmojiButton
        disabled={!isOn}
        onPick={(emoji) => {
          if (field.current) editField(field.current, insertText(selectionOf(field.current), emoji));
        }}
      />
      <WordButton
        icon={<Mic aria-hidden />}
        label={t('composer.voice')}
        word={t('composer.voice.word')}
        from="large"
        disabled={!isOn}
        onClick={onVoice}
      />
      {isNarrow ? null : (
        <>
          <WordButton
            icon={<Paperclip aria-hidden />}
            label={t('composer.file.attach')}
            word={t('composer.file.word')}
            from="medium"
            disabled={!isOn}
            onClick={() => files.current?.click()}
          />
          <WordButton
            icon={<Zap aria-hidden />}
            label={t('composer.quickReplies')}
            word={t('composer.quickReplies')}
            from="medium"
            disabled={!isOn}
            onClick={onQuickReplies}
          />
          <WordButton
            icon={<FileText aria-hidden />}
            label={t('composer.template')}
            word={t('composer.template')}
            from="medium"
            onClick={() => onDialog('template')}
          />
          {marks.length > 0 ? <span aria-hidden className="mx-1 h-5 w-px bg-border @max-5xl:hidden" /> : null}
          {marks.map(({ mark, icon, keys }) => (
            <IconButton
              key={mark}
              className="@max-5xl:hidden"
              label={t(`writing.mark.${mark}`)}
              aria-keyshortcuts={keys.replace('Ctrl', 'Control')}
              disabled={!isOn}
              // The selection stays.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => apply(mark)}
            >
              {icon}
            </IconButton>
          ))}
        </>
      )}
    </>
  );
}
