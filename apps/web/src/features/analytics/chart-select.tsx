import { NativeSelect } from '../../ui/input.tsx';

/** What a chart shows, chosen in its head. */
export function ChartSelect<Value extends string>({
  label,
  value,
  values,
  textOf,
  onChange,
}: {
  label: string;
  value: Value;
  values: readonly Value[];
  textOf: (value: Value) => string;
  onChange: (value: Value) => void;
}) {
  return (
    <span className="max-w-full min-w-28 sm:min-w-36">
      <NativeSelect
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(values.find((one) => one === target.value) ?? value)}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {textOf(one)}
          </option>
        ))}
      </NativeSelect>
    </span>
  );
}
