import { stillNeeded } from '../../../shared/actions/still-needed.ts';
import { noteLimits } from '@app/domain/conversations/note-rules';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, orpc, readFailure } from '../../../shared/api.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import { errorMessageOf } from '../../../shared/error-message.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { useUnsavedWarning } from '../../../shared/use-unsaved-warning.ts';
import { ConflictBanner } from '../../../ui/conflict-banner.tsx';
import { Field } from '../../../ui/field.tsx';
import { Textarea } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import type { Note } from '../timeline-window.ts';

const sayFailure = errorMessageOf({ note_mention_unknown: 'composer.note.mentionUnknown' });

/** Other words for a note of one's own. Whoever is still named in them stays mentioned. */
export function NoteEditDialog({ note, onClose }: { note: Note; onClose: () => void }) {
  const { conversationId, id: noteId } = note;
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(note);
  const [body, setBody] = useState(note.body);
  const queryClient = useQueryClient();
  const edit = useAction(orpc.conversations.editNote.mutationOptions());
  const isChanged = body.trim() !== opened.body;
  const closeSaved = useUnsavedWarning(isChanged);
  const reread = () =>
    queryClient.invalidateQueries({
      queryKey: orpc.conversations.listMessages.key({ input: { conversationId } }),
    });

  async function goOnFromTheirs(keepsMine: boolean) {
    const { items } = await api.conversations.listMessages({ conversationId, around: noteId, limit: 1 });
    const theirs = items.find((item) => item.kind === 'note' && item.id === noteId);
    edit.reset();
    if (theirs?.kind !== 'note') return;
    setOpened(theirs);
    if (!keepsMine) setBody(theirs.body);
  }

  async function save() {
    const still = opened.mentions.filter(({ name }) => body.includes(`@${name}`));
    const idsOf = (kind: 'user' | 'team') => still.filter((one) => one.kind === kind).map(({ id }) => id);
    try {
      await edit.mutateAsync({
        ...{ conversationId, noteId, version: opened.version, body: body.trim() },
        mentions: { userIds: idsOf('user'), teamIds: idsOf('team') },
      });
      closeSaved(onClose);
    } catch {
      // Shown in the form, from the failed call.
    }
    await reread();
  }

  const code = edit.error ? readFailure(edit.error).code : null;
  return (
    <FormDialog
      title={t('chat.note.edit')}
      submitLabel={t('common.save')}
      isReady={isChanged && body.trim() !== ''}
      whyNot={body.trim() === '' ? stillNeeded(t('chat.note')) : t('chat.note.unchanged')}
      isSaving={edit.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {code === 'note_changed' ? (
        <ConflictBanner
          ways={[
            { label: t('chat.note.changedLoad'), onSelect: () => void goOnFromTheirs(false) },
            { label: t('chat.note.changedKeep'), onSelect: () => void goOnFromTheirs(true) },
          ]}
        >
          {t('chat.note.changed')}
        </ConflictBanner>
      ) : edit.error ? (
        <Banner tone="danger">{sayFailure(edit.error)}</Banner>
      ) : null}
      <Field
        label={t('chat.note')}
        aside={t('composer.count', {
          used: formatNumber(body.trim().length),
          most: formatNumber(noteLimits.body),
        })}
      >
        <Textarea
          rows={6}
          value={body}
          maxLength={noteLimits.body}
          onChange={(event) => setBody(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
