import { useId } from 'react';
import type { api } from '../../shared/api.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/controls/choice.tsx';

export type SampleImport = Awaited<ReturnType<typeof api.dataManagement.previewStart>>['imports'][number];
/** By the id of the import; what is missing is not decided yet. */
export type ImportDecisions = Readonly<Record<string, boolean>>;

/** Asks for each import into the sample whether its contacts stay. Nothing is chosen beforehand: both would be a guess. */
export function SampleImports({
  imports,
  decisions,
  error,
  onDecide,
}: {
  imports: readonly SampleImport[];
  decisions: ImportDecisions;
  error: string | undefined;
  onDecide: (decisions: ImportDecisions) => void;
}) {
  const id = useId();
  if (imports.length === 0) return null;
  const decideAll = (keep: boolean) => onDecide(Object.fromEntries(imports.map((one) => [one.id, keep])));
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 id={id} className="font-medium">
        {t('dataManagement.sample.imports')}
      </h3>
      <p className="text-sm text-muted">{t('dataManagement.sample.importsHint')}</p>
      {imports.length > 1 ? (
        <div className="flex flex-wrap gap-2">
          <Button size="small" onClick={() => decideAll(true)}>
            {t('dataManagement.sample.keepAll')}
          </Button>
          <Button size="small" onClick={() => decideAll(false)}>
            {t('dataManagement.sample.deleteAll')}
          </Button>
        </div>
      ) : null}
      {imports.map(({ id: importId, fileName, contacts, createdAt }) => (
        <fieldset
          key={importId}
          aria-describedby={error ? `${id}-error` : undefined}
          className="min-w-0 rounded-card border border-line p-3"
        >
          <legend className="max-w-full px-1 text-sm break-words">
            <span className="font-medium">{fileName}</span>{' '}
            <span className="text-muted">
              {t('dataManagement.sample.importOf', { n: contacts, time: formatDateTime(createdAt) })}
            </span>
          </legend>
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            {([true, false] as const).map((keep) => (
              <Radio
                key={String(keep)}
                name={`${id}-${importId}`}
                label={t(keep ? 'dataManagement.sample.keep' : 'dataManagement.sample.delete')}
                checked={decisions[importId] === keep}
                aria-invalid={error !== undefined && decisions[importId] === undefined}
                onChange={() => onDecide({ ...decisions, [importId]: keep })}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger">
          {error}
        </p>
      ) : null}
    </section>
  );
}
