import { useEffect, useId, useRef, useState } from 'react';
import { formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { reasonOf } from '../../shared/operations/operation-messages.ts';
import { fetchFailedRows } from '../../shared/operations/failed-rows-file.ts';
import { OperationProgress } from '../../shared/operations/operation-progress.tsx';
import { useOperation } from '../../shared/operations/operations.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/input.tsx';
import { Banner } from '../../ui/states.tsx';
import { EarlierImports } from './earlier-imports.tsx';
import { FileChoice } from './file-choice.tsx';
import { ImportOptions } from './import-options.tsx';
import { ImportResults } from './import-results.tsx';
import {
  cancelImport,
  clearFinishedImport,
  clearImport,
  isOnShow,
  isOver,
  startImport,
  useRunningImport,
  type ContactImport,
} from './running-import.ts';
import { useImportChoices, type ImportChoicesState } from './use-import-choices.ts';
import { useUndoImport } from './use-undo-import.ts';

/** Paste or choose a file, try it out or import it, watch it, read what came of it, take it back. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const running = useRunningImport();
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const reasonId = useId();
  const pasteField = useRef<HTMLTextAreaElement>(null);
  const choices = useImportChoices(file, text);
  const undo = useUndoImport();
  /** What is imported once more as an update, or asked for. */
  const [again, setAgain] = useState<'rows' | 'file'>();
  const operation = useOperation(running?.id);
  const result = running?.result ?? null;
  const isBusy = running !== null && !isOver(running);
  const done = !isBusy && (result?.state === 'done' || result?.state === 'undone') ? result : null;

  // A file can be chosen again; a text that was pasted may be nowhere else.
  useUnsavedWarning(text.trim() !== '' && !isBusy && !(done && !done.isDryRun), 'dialog');

  function begin(isDryRun: boolean) {
    // The dialog was closed meanwhile, and what was typed into it is gone.
    const tried = isEmpty ? running?.source : undefined;
    if (tried) {
      startImport(tried.content, running?.fileName ?? '', { ...tried.choices, isDryRun });
      return;
    }
    choices.keepChoices();
    startImport(file ?? text, file?.name ?? '', {
      duplicates: choices.duplicates,
      mapping: choices.mapping,
      country: choices.country,
      twofold: choices.ambiguousReading,
      isConsentStated: choices.isConsentStated,
      coversOtherChannels: choices.consentOfOther !== null,
      statedConsent: choices.statedConsent,
      tags: choices.tags,
      isHeadless: choices.isHeadless,
      sheet: choices.sheet,
      encoding: choices.encoding,
      isDryRun,
    });
  }

  // What came of it is forgotten once the dialog is gone, which the person may still refuse.
  useEffect(() => clearFinishedImport, []);

  function startOver() {
    clearImport();
    setText('');
    setFile(null);
    setAgain(undefined);
    // What was said of the rows of one file is not the rule for the next.
    choices.setDuplicates('skip');
    choices.clearStatements();
  }

  /** The same file with the other rule; where only its failed rows are left, those are looked at first. */
  async function updateInstead(of: ContactImport) {
    choices.setDuplicates('update');
    const source = running?.source;
    if (source) {
      const { content, choices: chosen } = source;
      const { id, fileName, isDryRun } = of;
      startImport(content, fileName, {
        ...chosen,
        ...{ duplicates: 'update', isDryRun, insteadOf: isDryRun ? undefined : id },
      });
      return;
    }
    const name = of.fileName.replace(/\.\w+$/, '') || 'contacts';
    const rows = of.hasFailedRows ? await fetchFailedRows(of.id, name).catch(() => null) : null;
    // Pressed twice, or something else was begun while they came.
    if (!isOnShow(of.id)) return;
    clearImport();
    setText('');
    setFile(rows);
    setAgain(rows ? 'rows' : 'file');
  }

  const isEmpty = !file && text.trim() === '';
  const whyNot = isEmpty ? t('contacts.importNeedsFile') : findMissing(choices);
  const isReady = whyNot === null && choices.isRead && !choices.isAsking;
  const described = whyNot === null ? {} : { 'aria-describedby': reasonId };
  const importButtons = (
    <>
      <Button disabled={!isReady} {...described} onClick={() => begin(true)}>
        {t('contacts.importCheck')}
      </Button>
      <Button variant="primary" disabled={!isReady} {...described} onClick={() => begin(false)}>
        {t('contacts.importStart')}
      </Button>
    </>
  );
  let footer = (
    <>
      {whyNot === null ? null : (
        <p id={reasonId} className="min-w-0 flex-1 basis-48 text-sm text-pretty text-muted max-sm:basis-full">
          {whyNot}
        </p>
      )}
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      {importButtons}
    </>
  );
  if (isBusy) {
    const isCancelling = operation?.state === 'cancelling';
    footer = (
      <>
        <Button variant="danger-ghost" disabled={isCancelling} onClick={() => void cancelImport(running.id)}>
          {isCancelling ? t('contacts.importCancelling') : t('contacts.importCancel')}
        </Button>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </>
    );
  } else if (done?.isDryRun) {
    footer = (
      <>
        <Button onClick={clearImport}>{t('contacts.importBack')}</Button>
        <Button variant="primary" onClick={() => begin(false)} disabled={done.successful === 0}>
          {t('contacts.importStart')}
        </Button>
      </>
    );
  } else if (done) {
    footer = (
      <>
        {done.state === 'done' && done.successful > 0 && undo.isAllowed ? (
          <Button variant="danger-ghost" onClick={() => void undo.ask(done)}>
            {t('contacts.importUndo')}
          </Button>
        ) : null}
        <Button onClick={startOver}>{t('contacts.importAgain')}</Button>
        <Button variant="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      </>
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      keepOpenOnOutsidePress
      initialFocus={pasteField}
      title={
        done
          ? t(done.isDryRun ? 'contacts.importCheckResults' : 'contacts.importResults')
          : t('contacts.importTitle')
      }
      description={done || isBusy ? undefined : t('contacts.importPurpose')}
      size="large"
      footer={footer}
    >
      {isBusy ? (
        <div className="grid gap-3 py-3">
          {operation ? (
            <OperationProgress operation={operation} />
          ) : (
            <p role="status">{t('contacts.importUploading')}</p>
          )}
          <p className="text-muted">{t('contacts.importGoesOn')}</p>
        </div>
      ) : done ? (
        <ImportResults
          result={done}
          reading={running?.source?.choices}
          onUpdate={
            done.state === 'done' && running?.source?.choices.duplicates !== 'update'
              ? () => void updateInstead(done)
              : undefined
          }
        />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {running ? (
            <ImportProblem
              reason={
                running.reason ?? (result?.state === 'failed' ? reasonOf({ error: result.problem }) : null)
              }
            />
          ) : null}
          {again === 'rows' && file ? <Banner>{t('contacts.importRowsAgain')}</Banner> : null}
          {again === 'file' && !file ? <Banner>{t('contacts.importFileAgain')}</Banner> : null}
          <FileChoice
            file={file}
            onChange={(next) => {
              clearImport();
              setFile(next);
              if (again === 'rows') setAgain(undefined);
              choices.clearStatements();
            }}
          />
          {file ? null : (
            <Field label={t('contacts.importPaste')} hint={t('contacts.importPasteHint')}>
              <Textarea
                ref={pasteField}
                rows={6}
                value={text}
                spellCheck={false}
                placeholder={t('contacts.importPlaceholder')}
                onChange={(event) => setText(event.target.value)}
                className="font-mono text-sm"
              />
            </Field>
          )}
          {file || text.trim() !== '' ? <ImportOptions choices={choices} /> : <EarlierImports undo={undo} />}
        </div>
      )}
    </Dialog>
  );
}

/** What is still to be said before anything can be imported; null where nothing is. */
function findMissing({ missing, asked, needsCountry, isAgreedReady }: ImportChoicesState): string | null {
  const [first, second] = missing.map((target) => t(`contacts.mapping.${target}`));
  if (first)
    return t('contacts.importNeedsColumns', { columns: formatList([first, second].filter(isText), 'and') });
  if (asked.length > 0)
    return t('contacts.importNeedsMeaning', {
      columns: formatList(
        asked.map(({ heading }) => heading),
        'and',
      ),
    });
  if (needsCountry) return t('contacts.importNeedsCountry');
  return isAgreedReady ? null : t('contacts.importNeedsAgreed');
}

const isText = (text: string | undefined): text is string => text !== undefined;

function ImportProblem({ reason }: { reason: string | null }) {
  return (
    <Banner tone={reason === null ? 'info' : 'danger'}>
      {reason === null ? t('contacts.importCancelled') : t('contacts.importRefused', { reason })}
    </Banner>
  );
}
