import { quickReplyLimits, quickReplyVariables, readShortcut } from '@app/domain/quick-replies/quick-reply';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { useCustomFields } from '../../shared/contacts/custom-fields.ts';
import type { QuickReply } from '../../shared/conversations/quick-replies.ts';
import { formatNumber } from '../../shared/formats.ts';
import { languageNames } from '../../shared/languages/language-names.ts';
import { MediaField } from '../../shared/media/media-field.tsx';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { replyErrorMessage } from './quick-replies-queries.ts';
import { findReplyProblem, longestOf, toInput, valuesOf, type ReplyValues } from './reply-values.ts';

/** Shortcut, name, text with variables, a file or buttons, and whose it is. */
export function ReplyForm({ reply, onClose }: { reply?: QuickReply; onClose: () => void }) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(reply);
  const [values, setValues] = useState<ReplyValues>(() => valuesOf(opened));
  const [isUploading, setIsUploading] = useState(false);
  const text = useRef<HTMLTextAreaElement>(null);
  const queryClient = useQueryClient();
  const create = useAction(orpc.quickReplies.create.mutationOptions());
  const update = useAction(orpc.quickReplies.update.mutationOptions());
  const customFields = useCustomFields();
  const failure = create.error ?? update.error;
  const code = failure && readFailure(failure).code;
  const problem = findReplyProblem(values);
  const isChanged = JSON.stringify(values) !== JSON.stringify(valuesOf(opened));
  const closeSaved = useUnsavedWarning(isChanged, 'dialog');
  const set = (part: Partial<ReplyValues>) => setValues({ ...values, ...part });

  /** Their version becomes what the next save is checked against. */
  async function goOnFromTheirs(keepsMine: boolean) {
    if (!opened) return;
    try {
      const theirs = await api.quickReplies.get({ quickReplyId: opened.id });
      setOpened(theirs);
      update.reset();
      if (!keepsMine) setValues(valuesOf(theirs));
    } catch (error) {
      notify.error(replyErrorMessage(error));
    }
  }

  async function save() {
    const input = toInput(values);
    try {
      if (opened) await update.mutateAsync({ quickReplyId: opened.id, version: opened.version, ...input });
      else await create.mutateAsync(input);
      notify.success(t('quick-replies.saved'));
      closeSaved(onClose);
    } catch {
      // Shown in the form, from the failed call.
    }
    await queryClient.invalidateQueries({ queryKey: orpc.quickReplies.key() });
  }

  function insertVariable(name: string) {
    const area = text.current;
    const [from, to] = [area?.selectionStart ?? values.text.length, area?.selectionEnd ?? values.text.length];
    set({ text: `${values.text.slice(0, from)}{{${name}}}${values.text.slice(to)}` });
    area?.focus();
  }

  const shortcut = readShortcut(values.shortcut);
  return (
    <FormDialog
      size="large"
      title={t(opened ? 'quick-replies.editTitle' : 'quick-replies.new')}
      description={t('quick-replies.formPurpose')}
      submitLabel={t('common.save')}
      isReady={problem === null && !isUploading}
      whyNot={problem ? t(`quick-replies.problem.${problem}`) : undefined}
      isSaving={create.isPending || update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {code === 'quick_reply_changed' ? (
        <ConflictBanner
          ways={[
            { label: t('quick-replies.changedLoad'), onSelect: () => void goOnFromTheirs(false) },
            { label: t('quick-replies.changedKeep'), onSelect: () => void goOnFromTheirs(true) },
          ]}
        >
          {t('quick-replies.changed')}
        </ConflictBanner>
      ) : failure && code !== 'quick_reply_taken' ? (
        <Banner tone="danger">{replyErrorMessage(failure)}</Banner>
      ) : null}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field
          label={t('quick-replies.shortcut')}
          required
          hint={t('quick-replies.shortcutHint', { name: shortcut ?? 'thanks' })}
          error={
            code === 'quick_reply_taken'
              ? t('quick-replies.error.taken')
              : values.shortcut !== '' && shortcut === undefined
                ? t('quick-replies.problem.shortcut')
                : undefined
          }
        >
          <Input
            value={values.shortcut}
            maxLength={quickReplyLimits.shortcut + 1}
            autoComplete="off"
            autoCapitalize="none"
            onChange={(event) => set({ shortcut: event.target.value })}
          />
        </Field>
        <Field label={t('quick-replies.name')} required>
          <Input
            value={values.title}
            maxLength={quickReplyLimits.title}
            autoComplete="off"
            onChange={(event) => set({ title: event.target.value })}
          />
        </Field>
      </div>
      <Field
        label={t('quick-replies.text')}
        aside={t('quick-replies.count', {
          used: formatNumber(values.text.trim().length),
          most: formatNumber(longestOf(values)),
        })}
      >
        <Textarea
          ref={text}
          rows={6}
          value={values.text}
          onChange={(event) => set({ text: event.target.value })}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="text-sm text-muted">{t('quick-replies.variables')}</span>
        {[...quickReplyVariables, ...(customFields ?? []).map(({ key }) => key)].map((name) => (
          <Button key={name} size="small" onClick={() => insertVariable(name)}>{`{{${name}}}`}</Button>
        ))}
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        {values.buttons.map((title, index) => (
          <Field key={index} label={t('quick-replies.button', { n: index + 1 })}>
            <Input
              value={title}
              maxLength={quickReplyLimits.button}
              autoComplete="off"
              onChange={(event) => set({ buttons: values.buttons.with(index, event.target.value) })}
            />
          </Field>
        ))}
      </div>
      <MediaField
        label={t('quick-replies.file')}
        purpose="attachment"
        value={values.media}
        onChange={(media) => set({ media })}
        onUploading={setIsUploading}
      />
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <Field label={t('quick-replies.folder')}>
          <Input
            value={values.folder}
            maxLength={quickReplyLimits.folder}
            onChange={(event) => set({ folder: event.target.value })}
          />
        </Field>
        <Field label={t('quick-replies.language')} hint={t('quick-replies.languageHint')}>
          <Select
            value={values.language}
            onChange={(language) => set({ language })}
            options={[
              { value: '', label: t('quick-replies.language.sender') },
              ...interfaceLanguages.map((value) => ({ value, label: languageNames[value] })),
            ]}
          />
        </Field>
        {can('messages:manage') ? (
          <Checkbox
            label={t('quick-replies.shared')}
            checked={values.isShared}
            onChange={(event) => set({ isShared: event.target.checked })}
          />
        ) : null}
      </div>
    </FormDialog>
  );
}
