import { noteLimits, type Mention } from '@app/domain/conversations/note-rules';
import { useQueryClient } from '@tanstack/react-query';
import { StickyNote } from 'lucide-react';
import { useRef, useState } from 'react';
import { newKey, orpc } from '../../../shared/api.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import type { Conversation } from '../../../shared/conversations/conversations-queries.ts';
import { errorMessageOf } from '../../../shared/error-message.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { notify } from '../../../ui/toast.ts';
import { editField, selectionOf } from '../../../shared/writing/edit-field.ts';
import { mentionSuggestion, useMentionable } from './use-mentionable.tsx';
import { useSendsOnEnter } from '../field/send-key.ts';
import { findMentionWord, insertText, type MarkedSelection } from '../../../shared/writing/text-marks.ts';
import { useDraft } from '../draft/use-draft.ts';
import { WritingField, type Offer } from '../field/writing-field.tsx';

const noteErrorMessage = errorMessageOf({ note_mention_unknown: 'composer.note.mentionUnknown' });

/** A note for colleagues, with mentions; the contact never sees it. */
export function NoteBox({ conversation, onDone }: { conversation: Conversation; onDone: () => void }) {
  const { id: conversationId } = conversation;
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(conversationId, 'note');
  const [sendsOnEnter] = useSendsOnEnter();
  const [selection, setSelection] = useState<MarkedSelection>({ text: '', start: 0, end: 0 });
  const [mentioned, setMentioned] = useState<readonly Mention[]>([]);
  const [key, setKey] = useState(newKey);
  const queryClient = useQueryClient();
  const add = useAction(orpc.conversations.addNote.mutationOptions({ context: { idempotencyKey: key } }));

  const text = draft.text.trim();
  const left = noteLimits.body - text.length;
  const canSave = text !== '' && left >= 0 && !add.isPending;

  async function save() {
    if (!canSave) return;
    // Who was taken out of the text again is not mentioned.
    const still = mentioned.filter(({ name }) => text.includes(`@${name}`));
    const idsOf = (kind: Mention['kind']) => still.filter((one) => one.kind === kind).map(({ id }) => id);
    const { writingId } = draft.writing();
    try {
      await add.mutateAsync({
        ...{ conversationId, writingId, body: text },
        mentions: { userIds: idsOf('user'), teamIds: idsOf('team') },
      });
    } catch (error) {
      notify.error(noteErrorMessage(error));
      return;
    }
    // What was typed while it was under way is another note.
    if (draft.writing().text.trim() === text) draft.take();
    setMentioned([]);
    setKey(newKey());
    field.current?.focus();
    await queryClient.invalidateQueries({
      queryKey: orpc.conversations.listMessages.key({ input: { conversationId } }),
    });
  }

  const word = findMentionWord({ ...selection, text: draft.text });
  const people = useMentionable(word?.word ?? null);
  const offer: Offer | null =
    word && people && (people.length > 0 || !word.word.includes(' '))
      ? {
          label: t('composer.note.mention'),
          empty: t('composer.note.nobody'),
          items: people.map(mentionSuggestion),
          pick(index) {
            const one = people[index];
            const area = field.current;
            if (!one || !area) return;
            const at = { text: area.value, start: word.start, end: word.end };
            editField(area, insertText(at, `@${one.name} `));
            setSelection(selectionOf(area));
            setMentioned([...mentioned.filter(({ id }) => id !== one.id), one]);
          },
        }
      : null;

  return (
    <>
      <WritingField
        fieldRef={field}
        value={draft.text}
        label={t('composer.note.label')}
        placeholder={t('composer.note.placeholder')}
        {...{ sendsOnEnter, offer }}
        onChange={(next) => draft.change({ text: next })}
        onCaret={setSelection}
        onSubmit={() => void save()}
        onEscape={() => {
          onDone();
          return true;
        }}
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        <p className="min-w-0 flex-1 truncate px-1 text-sm text-muted">
          {left < 0
            ? t('composer.tooLong', { n: -left })
            : left <= 500
              ? t('composer.count', { used: formatNumber(text.length), most: formatNumber(noteLimits.body) })
              : t('composer.note.hint')}
        </p>
        <Button
          variant="primary"
          icon={<StickyNote aria-hidden />}
          disabled={!canSave}
          loading={add.isPending}
          onClick={() => void save()}
        >
          {t('composer.note.add')}
        </Button>
      </div>
    </>
  );
}
