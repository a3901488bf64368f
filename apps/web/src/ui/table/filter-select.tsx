import { ChevronDown } from 'lucide-react';
import { usePromptValue } from '../controls/use-prompt-value.ts';

export interface FilterOption<Value extends string = string> {
  value: Value;
  label: string;
}

/**
 * A filter of a toolbar: its name stands in front of what is chosen. It is the browser's own select, so that lists need
 * no library for it; `theme.css` dresses its list where the browser can.
 */
export function FilterSelect<Value extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly FilterOption<Value>[];
}) {
  const [shown, choose] = usePromptValue(value, onChange);
  return (
    <label className="relative flex h-9 max-w-full items-center rounded-card max-md:w-full border border-border bg-raised whitespace-nowrap transition-colors focus-within:border-primary focus-within:outline-2 focus-within:outline-(--ring) hover:bg-hover">
      <span className="shrink-0 pl-3 text-muted">{label}</span>
      <select
        value={shown}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) choose(chosen.value);
        }}
        className="dressed-select h-full min-w-0 flex-1 truncate border-0 md:max-w-52 rounded-card bg-transparent pr-8 pl-1.5 font-medium outline-none!"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute right-2.5 size-4 text-muted" />
    </label>
  );
}
