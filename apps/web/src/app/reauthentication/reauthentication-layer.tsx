import { Suspense, useEffect, useState } from 'react';
import { setReauthenticationAsker } from '../../shared/actions/ask-to-reauthenticate.ts';
import { loadMessages } from '../../shared/messages.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';

const ReauthenticationDialog = lazyDialog(
  async () => {
    await loadMessages('profile');
    return (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog;
  },
  ({ onAnswer }) => onAnswer(false),
);

type Question = { answer: (isProven: boolean) => void };

/** Asks for the password when the server wants a recent re-authentication; the act that needed it then goes on. */
export function ReauthenticationLayer() {
  const [question, setQuestion] = useState<Question>();
  useEffect(() => {
    setReauthenticationAsker(() => new Promise((answer) => setQuestion({ answer })));
    return () => setReauthenticationAsker(undefined);
  }, []);
  if (!question) return null;
  return (
    <Suspense>
      <ReauthenticationDialog
        onAnswer={(isProven) => {
          setQuestion(undefined);
          question.answer(isProven);
        }}
      />
    </Suspense>
  );
}
