import { useEffect } from 'react';
import { LoadingText } from './loading-text.tsx';

/** A public page is another, lighter app: it is loaded from its address. */
export function LeaveDashboard() {
  useEffect(() => location.reload(), []);
  return <LoadingText />;
}
