import {
  rcsMessageCategories,
  rcsMessageLimits,
  rcsMessageStatuses,
  rcsMessageTypes,
} from '@app/domain/rcs/rcs-message';
import { useQueryClient } from '@tanstack/react-query';
import { Languages } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc, readFailure } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { useUnsavedWarning } from '../../../shared/use-unsaved-warning.ts';
import { Button } from '../../../ui/button.tsx';
import { ConflictBanner } from '../../../ui/conflict-banner.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input, NativeSelect } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import { ContentFields } from './content-fields.tsx';
import { describeFault } from './fault-words.ts';
import { faultsOf, LanguageBar } from './language-bar.tsx';
import {
  contentIn,
  contentOf,
  readValues,
  translationsOf,
  valuesOf,
  type ContentValues,
  type MessageValues,
} from './message-values.ts';
import { Phones } from './phones.tsx';
import { rcsErrorMessage, type RcsMessage } from './rcs-messages-queries.ts';

type NewMessage = Parameters<typeof api.rcs.create>[0];

interface MessageFormProps {
  message?: RcsMessage;
  copyOf?: RcsMessage;
  onClose: () => void;
}

/** Everything of a message, and how phones show it as soon as it has a name. */
export function MessageForm({ message, copyOf, onClose }: MessageFormProps) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(message);
  const [first, setFirst] = useState(() => (copyOf ? copyValues(copyOf) : valuesOf(message)));
  const [values, setValues] = useState(first);
  const queryClient = useQueryClient();
  const create = useAction(orpc.rcs.create.mutationOptions());
  const update = useAction(orpc.rcs.update.mutationOptions());
  const failure = create.error ?? update.error;
  const code = failure && readFailure(failure).code;
  const isChanged = copyOf !== undefined || JSON.stringify(values) !== JSON.stringify(first);
  const closeSaved = useUnsavedWarning(isChanged, 'dialog');
  const set = (part: Partial<MessageValues>) => setValues({ ...values, ...part });
  const [shown, setShown] = useState(values.language);
  const [hasLanguages, setHasLanguages] = useState(Object.keys(values.translations).length > 0);
  const { content, others, faults } = readValues(values);
  const isMain = shown === values.language;
  const setContent = (part: Partial<ContentValues>) =>
    set(
      isMain
        ? part
        : { translations: { ...values.translations, [shown]: { ...contentIn(values, shown), ...part } } },
    );
  const whyNot = whyNotReady(values, faults[0] ? describeFault(faults[0]) : null);

  async function goOnFromTheirs(keepsMine: boolean) {
    if (!opened) return;
    try {
      const theirs = await api.rcs.get({ rcsMessageId: opened.id });
      setOpened(theirs);
      update.reset();
      if (keepsMine) return;
      setFirst(valuesOf(theirs));
      setValues(valuesOf(theirs));
      setShown(theirs.language);
    } catch (error) {
      notify.error(rcsErrorMessage(error));
    }
  }

  async function save() {
    const { name, type, status, category, language } = values;
    const input = {
      ...{ name, type, status, category, content: contentOf(values) },
      // Codes of the list alone can be chosen.
      ...({ language, translations: translationsOf(values) } as Pick<
        NewMessage,
        'language' | 'translations'
      >),
    };
    try {
      if (opened) await update.mutateAsync({ rcsMessageId: opened.id, version: opened.version, ...input });
      else await create.mutateAsync(input);
      notify.success(t('rcs.saved'));
      closeSaved(onClose);
    } catch {
      // Shown in the form, from the failed call.
    }
    await queryClient.invalidateQueries({ queryKey: orpc.rcs.key() });
  }

  const choice = <Name extends 'type' | 'category' | 'status'>(
    name: Name,
    options: readonly MessageValues[Name][],
  ) => (
    <Field label={t(`rcs.${name}`)}>
      <NativeSelect
        value={values[name]}
        onChange={({ target }) => {
          const chosen = options.find((one) => one === target.value);
          if (chosen) set({ [name]: chosen });
        }}
      >
        {options.map((one) => (
          <option key={one} value={one}>
            {wordOf(name, one)}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );

  return (
    <FormDialog
      size="wide"
      title={t(opened ? 'rcs.editTitle' : copyOf ? 'rcs.copyTitle' : 'rcs.createTitle')}
      description={t('rcs.formPurpose')}
      submitLabel={t('common.save')}
      isReady={whyNot === null}
      whyNot={whyNot ?? undefined}
      isSaving={create.isPending || update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {code === 'rcs_message_changed' ? (
        <ConflictBanner
          ways={[
            { label: t('rcs.changedLoad'), onSelect: () => void goOnFromTheirs(false) },
            { label: t('rcs.changedKeep'), onSelect: () => void goOnFromTheirs(true) },
          ]}
        >
          {t('rcs.error.changed')}
        </ConflictBanner>
      ) : failure && code !== 'rcs_message_taken' ? (
        <Banner tone="danger">{rcsErrorMessage(failure)}</Banner>
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Field
            label={t('rcs.name')}
            required
            error={code === 'rcs_message_taken' ? t('rcs.error.taken') : undefined}
          >
            <Input
              value={values.name}
              maxLength={rcsMessageLimits.name}
              onChange={({ target }) => {
                set({ name: target.value });
                create.reset();
                update.reset();
              }}
            />
          </Field>
          <div className="grid gap-3 sm:grid-cols-3">
            {choice('type', rcsMessageTypes)}
            {choice('category', rcsMessageCategories)}
            {choice('status', rcsMessageStatuses)}
          </div>
          {hasLanguages ? (
            <LanguageBar values={values} faults={faults} shown={shown} onShow={setShown} onChange={set} />
          ) : (
            <Button
              size="small"
              variant="ghost"
              className="self-start"
              icon={<Languages aria-hidden />}
              onClick={() => setHasLanguages(true)}
            >
              {t('rcs.languages.open')}
            </Button>
          )}
          <ContentFields
            key={shown}
            values={{ ...contentIn(values, shown), type: values.type }}
            faults={faultsOf(faults, shown, values.language)}
            onChange={setContent}
          />
        </div>
        {values.name.trim() === '' ? null : (
          <div className="min-w-0 lg:sticky lg:top-0">
            <Phones content={others[shown] ?? content} name={values.name} />
          </div>
        )}
      </div>
    </FormDialog>
  );
}

/** A draft may be as it is, but for what is too long or cannot be read. */
function whyNotReady({ name, status }: MessageValues, fault: string | null): string | null {
  if (name.trim() === '') return t('rcs.needsName');
  return status === 'draft' ? null : fault;
}

function wordOf(name: 'type' | 'category' | 'status', value: string): string {
  return t(`rcs.${name}.${value}` as Parameters<typeof t>[0]); // each of the words has a text
}

function copyValues(message: RcsMessage): MessageValues {
  const name = t('rcs.copyName', { name: message.name }).slice(0, rcsMessageLimits.name);
  return { ...valuesOf(message), name, status: 'draft' };
}
