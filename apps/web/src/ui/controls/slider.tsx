import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { useFieldAttributes } from '../field.tsx';

/** A number on a scale, with its value beside it. */
export function Slider({
  value,
  format = String,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'value'> & { value: number; format?: (value: number) => string }) {
  const attributes = useFieldAttributes();
  return (
    <span className="flex h-9 items-center gap-3">
      <input
        type="range"
        {...attributes}
        aria-valuetext={format(value)}
        {...rest}
        value={value}
        className={classNames('h-6 min-w-0 flex-1 cursor-pointer accent-primary', className)}
      />
      <output className="min-w-10 text-right font-medium tabular-nums">{format(value)}</output>
    </span>
  );
}
