import { useRouter } from '@tanstack/react-router';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { loadMessages } from '../../shared/messages.ts';
import { lazyPart } from '../../ui/load-file.ts';

/** Also loaded ahead, so that it is there when nothing else is. */
export const loadUnexpectedError = async () => {
  await loadMessages('missing-page');
  return (await import('./unexpected-error.tsx')).UnexpectedError;
};
const UnexpectedError = lazyPart(loadUnexpectedError);

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
