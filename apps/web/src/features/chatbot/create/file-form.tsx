import type { FlowReference } from '@app/domain/flows/check-flow';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { textOf } from '@app/domain/flows/step-type';
import { findStepType } from '@app/domain/flows/step-types';
import { FileUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { useUnsavedWarning } from '../../../shared/use-unsaved-warning.ts';
import { FileButton } from '../../../ui/controls/file-button.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { FlowFields } from '../../automation/editor/flow-fields.tsx';
import { fieldName } from '../../automation/flow-words.ts';
import { chatbotError } from '../chatbot-queries.ts';
import { findMissing, readFlowFile, replaceReferences, type NamedReference } from './flow-files.ts';
import { useNewDraft } from './use-new-draft.ts';

type Opened = {
  flow: FlowFile;
  references: readonly NamedReference[];
  missing: readonly FlowReference[];
};

/** A flow of a file. What it refers to and is not here is asked for, never guessed. */
export function FileForm({ startFrom, onClose }: { startFrom: ReactNode; onClose: () => void }) {
  const [opened, setOpened] = useState<Opened>();
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const closeSaved = useUnsavedWarning(opened !== undefined, 'dialog');
  const draft = useNewDraft(closeSaved);

  async function open(file: File) {
    setOpened(undefined);
    setProblem(undefined);
    const read = readFlowFile(await file.text());
    if (read.problem === 'newer') {
      setProblem(t('botFlows.file.newer', { found: read.found, known: read.known }));
      return;
    }
    if (read.problem !== null) {
      setProblem(t(`botFlows.file.${read.problem}`));
      return;
    }
    try {
      const missing = await findMissing(read.flow);
      // Empty until the user chooses: an id of another workspace means nothing here.
      setChosen(new Map(missing.map(({ kind, id }) => [`${kind} ${id}`, ''])));
      setOpened({ flow: read.flow, references: read.references, missing });
    } catch (error) {
      setProblem(chatbotError(error));
    }
  }

  return (
    <FormDialog
      size="large"
      title={t('chatbot.createFlow')}
      description={t('botFlows.fromFile.text')}
      submitLabel={t('botFlows.create')}
      isReady={opened !== undefined}
      whyNot={opened ? undefined : t('botFlows.fileNeeded')}
      isSaving={draft.isSaving}
      onSubmit={() => {
        if (opened) void draft.save(replaceReferences(opened.flow, chosen));
      }}
      onClose={onClose}
    >
      {startFrom}
      {problem ? <Banner tone="danger">{problem}</Banner> : null}
      {draft.error ? <Banner tone="danger">{chatbotError(draft.error)}</Banner> : null}
      <div className="flex flex-wrap items-center gap-3">
        <FileButton
          accept=".json,application/json"
          label={t('botFlows.file')}
          icon={<FileUp aria-hidden />}
          onFile={(file) => void open(file)}
        >
          {t('botFlows.file')}
        </FileButton>
        {opened ? <bdi className="font-medium wrap-anywhere">{opened.flow.name}</bdi> : null}
      </div>
      {opened && opened.missing.length > 0 ? (
        <>
          <Banner tone="warning">{t('botFlows.file.missing')}</Banner>
          {opened.missing.map((reference) => (
            <MissingField
              key={`${reference.kind} ${reference.id}`}
              reference={reference}
              opened={opened}
              value={chosen.get(`${reference.kind} ${reference.id}`) ?? ''}
              onChange={(id) => setChosen(new Map([...chosen, [`${reference.kind} ${reference.id}`, id]]))}
            />
          ))}
        </>
      ) : null}
    </FormDialog>
  );
}

/** The control of the field in which the reference was found first. */
function MissingField({
  reference: { kind, id, of, field },
  opened: { flow, references },
  value,
  onChange,
}: {
  reference: FlowReference;
  opened: Opened;
  value: string;
  onChange: (id: string) => void;
}) {
  const step = flow.steps.find((one) => one.id === of);
  const definition = findStepType(step?.type ?? '')?.fields.find((one) => one.name === field);
  if (!step || !definition) return null;
  const name = references.find((one) => one.kind === kind && one.id === id)?.name ?? '';
  const label = fieldName(field, step.type);
  const { when: _when, ...shown } = definition;
  return (
    <div className="grid gap-1">
      <p className="text-sm text-muted">
        {name === ''
          ? t('botFlows.file.wasNameless', { field: label })
          : t('botFlows.file.was', { field: label, name })}
      </p>
      <FlowFields
        type={step.type}
        fields={[shown]}
        config={{ [field]: value }}
        values={[]}
        problemOf={() => undefined}
        onChange={(config) => onChange(textOf(config, field))}
      />
    </div>
  );
}
