import { useRef } from 'react';
import { Button, type ButtonProps } from '../button.tsx';

interface FileButtonProps extends Omit<ButtonProps, 'onClick'> {
  /** Types as the browser's dialog names them. */
  accept: string;
  /** For whoever hears the control instead of the button that opens it. */
  label: string;
  onFile: (file: File) => void;
}

/** A button that asks for one file. */
export function FileButton({ accept, label, onFile, ...button }: FileButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // The same file can be chosen again after an error.
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
      <Button {...button} onClick={() => picker.current?.click()} />
    </>
  );
}
