import { useRouter } from '@tanstack/react-router';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { UnexpectedError } from './unexpected-error.tsx';

export function RouterErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <UnexpectedError
      error={error}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}
