import {
  Bold,
  Camera,
  Code,
  ContactRound,
  FileText,
  Italic,
  MapPin,
  Mic,
  Paperclip,
  Plus,
  Smile,
  Strikethrough,
  Zap,
} from 'lucide-react';
import { Suspense, useRef, useState, type ChangeEvent, type ReactNode, type RefObject } from 'react';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { acceptedTypes } from './files/chosen-file.ts';
import { editField, selectionOf } from './field/edit-field.ts';
import { useSendsOnEnter } from './field/send-key.ts';
import { insertText, toggleMark, type TextMark } from './field/text-marks.ts';
import type { Channel } from './writing-state.ts';

const EmojiPicker = lazyPart(async () => (await import('./emoji/emoji-picker.tsx')).EmojiPicker);

const marks: { mark: TextMark; icon: ReactNode; keys: string }[] = [
  { mark: 'bold', icon: <Bold aria-hidden />, keys: 'Ctrl+B' },
  { mark: 'italic', icon: <Italic aria-hidden />, keys: 'Ctrl+I' },
  { mark: 'strike', icon: <Strikethrough aria-hidden />, keys: 'Ctrl+Shift+X' },
  { mark: 'mono', icon: <Code aria-hidden />, keys: 'Ctrl+Shift+M' },
];

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
    if (field.current) editField(field.current, toggleMark(selectionOf(field.current), mark));
  };
  const markEntries: MenuEntry[] = marks.map(({ mark, icon, keys }) => ({
    ...{ label: t(`composer.mark.${mark}`), icon, shortcut: keys },
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
    ...markEntries,
    'separator',
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
        isOn={isOn}
        onPick={(emoji) => {
          if (field.current) editField(field.current, insertText(selectionOf(field.current), emoji));
        }}
      />
      <IconButton label={t('composer.voice')} disabled={!isOn} onClick={onVoice}>
        <Mic aria-hidden />
      </IconButton>
      {isNarrow ? null : (
        <>
          <IconButton
            label={t('composer.file.attach')}
            disabled={!isOn}
            onClick={() => files.current?.click()}
          >
            <Paperclip aria-hidden />
          </IconButton>
          <IconButton label={t('composer.quickReplies')} disabled={!isOn} onClick={onQuickReplies}>
            <Zap aria-hidden />
          </IconButton>
          <IconButton label={t('composer.template')} onClick={() => onDialog('template')}>
            <FileText aria-hidden />
          </IconButton>
          <span aria-hidden className="mx-1 h-5 w-px bg-border @max-3xl:hidden" />
          {marks.map(({ mark, icon, keys }) => (
            <IconButton
              key={mark}
              className="@max-3xl:hidden"
              label={t(`composer.mark.${mark}`)}
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

function EmojiButton({ isOn, onPick }: { isOn: boolean; onPick: (emoji: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      open={isOpen}
      onOpenChange={setIsOpen}
      align="start"
      className="p-2!"
      trigger={
        <IconButton label={t('composer.emoji')} disabled={!isOn}>
          <Smile aria-hidden />
        </IconButton>
      }
    >
      <Suspense fallback={<div className="h-72 w-72" />}>
        <EmojiPicker
          onPick={(emoji) => {
            setIsOpen(false);
            onPick(emoji);
          }}
        />
      </Suspense>
    </Popover>
  );
}
