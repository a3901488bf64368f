import { Upload } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { useNamedFieldAttributes } from '../field.tsx';
import { useUiWords } from '../ui-words.tsx';

export interface FileDropProps {
  /** What the file dialog offers, such as `.csv,.json`; the caller still checks what arrives. */
  accept?: string | undefined;
  multiple?: boolean | undefined;
  disabled?: boolean | undefined;
  hint?: ReactNode;
  label?: string | undefined;
  onFiles: (files: File[]) => void;
}

/** A place to drop files on; it is also a file input for keyboard and screen reader. */
export function FileDrop({ accept, multiple = false, disabled, hint, label, onFiles }: FileDropProps) {
  const words = useUiWords();
  const attributes = useNamedFieldAttributes(label ?? words.chooseFile);
  const [over, setOver] = useState(false);

  function take(list: FileList | null) {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  }

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!disabled) take(event.dataTransfer.files);
      }}
      className={classNames(
        'relative flex flex-col items-center gap-1 rounded-card border border-dashed px-4 py-7 text-center transition-colors focus-within:outline-2 focus-within:outline-(--ring)',
        over ? 'border-primary bg-primary-soft' : 'border-control bg-surface hover:bg-hover',
      )}
    >
      <Upload aria-hidden className="mb-1 size-5 text-muted" />
      <p>
        <span className="font-medium text-primary-text">{words.chooseFile}</span>{' '}
        <span className="text-muted">{words.dropFile}</span>
      </p>
      {hint ? <p className="text-sm text-muted">{hint}</p> : null}
      <input
        type="file"
        {...attributes}
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        onChange={(event) => {
          take(event.target.files);
          // The same file can be chosen again after an error.
          event.target.value = '';
        }}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
    </div>
  );
}
