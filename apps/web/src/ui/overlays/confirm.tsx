import { createContext, Suspense, use, useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import type { ConfirmRequest } from './confirm-request.ts';
import { lazyPart } from '../load-file.ts';

type Confirm = (request: ConfirmRequest) => Promise<boolean>;

interface Question {
  id: number;
  request: ConfirmRequest;
  answer: (yes: boolean) => void;
}

let lastId = 0;
const ConfirmContext = createContext<Confirm | undefined>(undefined);
const ConfirmDialog = lazyPart(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog);

/** `if (await confirm({ title })) …` in a dialog of the product. */
export function useConfirm(): Confirm {
  const confirm = use(ConfirmContext);
  if (!confirm) throw new Error('useConfirm must be used within a ConfirmProvider');
  return confirm;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [pending, setPending] = useState<Question>();
  const confirm = useCallback<Confirm>(
    (request) => new Promise<boolean>((answer) => setPending({ id: (lastId += 1), request, answer })),
    [],
  );
  return (
    <ConfirmContext value={confirm}>
      {children}
      {pending ? (
        <Suspense>
          <ConfirmDialog
            // A question that comes while the last one fades out is a dialog of its own.
            key={pending.id}
            request={pending.request}
            onAnswer={pending.answer}
            onGone={() => setPending((now) => (now === pending ? undefined : now))}
          />
        </Suspense>
      ) : null}
    </ConfirmContext>
  );
}
