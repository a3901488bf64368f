import { FileText, X } from 'lucide-react';
import { useState } from 'react';
import { formatBytes } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FileDrop } from '../../ui/controls/file-drop.tsx';

/** Takes one CSV, Excel, vCard or JSON file, by its type or its name. */
export function FileChoice({ file, onChange }: { file: File | null; onChange: (file: File | null) => void }) {
  const [error, setError] = useState<string>();

  function take([chosen]: File[]) {
    const isKnown =
      chosen && (/\.(json|csv|xlsx|tsv|txt|vcf|vcard)$/i.test(chosen.name) || isReadableType(chosen.type));
    setError(isKnown ? undefined : t('contacts.importWrongFile'));
    if (isKnown) onChange(chosen);
  }

  if (file) {
    return (
      <div className="flex items-center gap-3 rounded-card border border-border px-4 py-3">
        <FileText aria-hidden className="size-5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate font-medium">{file.name}</span>
        <span className="text-sm text-muted tabular-nums">{formatBytes(file.size)}</span>
        <IconButton label={t('contacts.importRemoveFile')} size="small" onClick={() => onChange(null)}>
          <X aria-hidden />
        </IconButton>
      </div>
    );
  }
  return (
    <Field label={t('contacts.importFile')} error={error}>
      <FileDrop
        accept=".csv,.xlsx,.json,.tsv,.txt,.vcf,text/vcard,text/csv,application/json"
        hint={t('contacts.importFileHint')}
        onFiles={take}
      />
    </Field>
  );
}

function isReadableType(type: string): boolean {
  return type === 'application/json' || type === 'text/csv' || type === 'text/vcard';
}
