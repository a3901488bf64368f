import { Suspense, useEffect, useState } from 'react';
import { setProofAsker } from '../../shared/acts/ask-for-proof.ts';
import { loadMessages } from '../../shared/messages.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';

const ProofDialog = lazyDialog(
  async () => {
    await loadMessages('profile');
    return (await import('./proof-dialog.tsx')).ProofDialog;
  },
  ({ onAnswer }) => onAnswer(false),
);

type Question = { answer: (isProven: boolean) => void };

/** Asks for the password when the server wants a recent proof; the act that needed it then goes on. */
export function ProofLayer() {
  const [question, setQuestion] = useState<Question>();
  useEffect(() => {
    setProofAsker(() => new Promise((answer) => setQuestion({ answer })));
    return () => setProofAsker(undefined);
  }, []);
  if (!question) return null;
  return (
    <Suspense>
      <ProofDialog
        onAnswer={(isProven) => {
          setQuestion(undefined);
          question.answer(isProven);
        }}
      />
    </Suspense>
  );
}
