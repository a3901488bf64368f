import { useState } from 'react';

/**
 * A value that its control shows at once, while whoever keeps it, such as the address, may follow after the next paint. What
 * is typed or chosen meanwhile is never set back by the answer to something older.
 */
export function usePromptValue<Value>(
  value: Value,
  onChange: (value: Value) => void,
): [Value, (value: Value) => void] {
  const [state, setState] = useState<{ kept: Value; shown: Value; told: readonly Value[] }>({
    kept: value,
    shown: value,
    told: [],
  });
  if (!Object.is(state.kept, value)) {
    const answered = state.told.lastIndexOf(value);
    setState({
      kept: value,
      shown: answered < 0 ? value : state.shown,
      told: answered < 0 ? [] : state.told.slice(answered + 1),
    });
  }
  function change(next: Value) {
    setState((before) => ({ ...before, shown: next, told: [...before.told, next] }));
    onChange(next);
  }
  return [state.shown, change];
}
