import { useState } from 'react';
import { Input, type InputProps } from '../../ui/input.tsx';
import { readTypedNumber, showNumber } from './typed-number.ts';

/** A number that people write as their language does; the form has it as `12.5`, and what is no number as it was typed. */
export function NumberInput({
  value,
  onChange,
  ...rest
}: Omit<InputProps, 'value' | 'onChange' | 'type'> & { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(() => showNumber(value));
  return (
    <Input
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      maxLength={40}
      // What was typed stays as it is written; what came from elsewhere is shown.
      value={readTypedNumber(typed) === value ? typed : showNumber(value)}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(readTypedNumber(event.target.value));
      }}
    />
  );
}
