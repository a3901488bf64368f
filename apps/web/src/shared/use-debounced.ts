import { useEffect, useState } from 'react';

/** The value once it has stood still for `delay` milliseconds: for searches that ask the server. */
export function useDebounced<Value>(value: Value, delay = 200): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
