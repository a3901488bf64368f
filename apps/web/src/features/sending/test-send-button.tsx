import { FlaskConical } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button, type ButtonVariant } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import type { api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';

const TestSendDialog = lazyDialog(async () => (await import('./test-send-dialog.tsx')).TestSendDialog);

type TestMessage = Omit<Parameters<typeof api.campaigns.sendTest>[0], 'phone'>;

/** Nothing for people who may not send, and nothing to press while there is no message. */
export function TestSendButton({
  message,
  variant,
}: {
  message: TestMessage | null;
  variant?: ButtonVariant | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  if (!can('campaigns:create') || !can('messages:create')) return null;
  return (
    <>
      <Button
        size="small"
        variant={variant}
        icon={<FlaskConical aria-hidden />}
        disabled={message === null}
        onClick={() => setOpen(true)}
      >
        {t('sending.test.open')}
      </Button>
      {isOpen && message !== null ? (
        <Suspense>
          <TestSendDialog message={message} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
