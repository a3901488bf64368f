import { useEffect, useRef, useState } from 'react';

/** A tab in the background paints nothing. */
const LONGEST_WAIT_MS = 100;

/** Acts once the browser has shown what stands now, so that a press is answered before heavy work begins. */
export function afterPaint(act: () => void): () => void {
  let timer = setTimeout(run, LONGEST_WAIT_MS);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run);
  });
  function run() {
    cancelAnimationFrame(frame);
    act();
  }
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/**
 * A value that the control itself shows at once, while whoever keeps it, such as the address with the whole page behind,
 * hears of it after the next paint. What is chosen or typed meanwhile is never set back by an answer to something older.
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
  const cancel = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => cancel.current?.(), []);
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
    cancel.current?.();
    cancel.current = afterPaint(() => onChange(next));
  }
  return [state.shown, change];
}
