import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { postEmailToken } from '../../shared/sign-in/sign-in-calls.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { authErrorMessage } from './auth-error-message.ts';
import { AuthFrame, FormFailure } from './auth-frame.tsx';

/** Where the mails about another address lead. It asks first: programs that look at mails open every link in them. */
export function EmailLinkPage() {
  const [{ wish, token }] = useState(() => {
    const search = new URLSearchParams(location.search);
    const undo = search.get('undo');
    return undo === null
      ? ({ wish: 'confirm', token: search.get('confirm') ?? '' } as const)
      : ({ wish: 'undo', token: undo } as const);
  });
  const [email, setEmail] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function send() {
    setSending(true);
    setFailure(undefined);
    try {
      setEmail((await postEmailToken(wish, token)).email);
      history.replaceState(null, '', location.pathname);
    } catch (error) {
      setFailure(authErrorMessage(error, 'auth.emailLink.failed'));
    }
    setSending(false);
  }

  return (
    <AuthFrame
      title={t('auth.emailLink.title')}
      purpose={
        email === undefined
          ? t(wish === 'undo' ? 'auth.emailLink.undoText' : 'auth.emailLink.confirmText')
          : undefined
      }
    >
      <FormFailure>{failure}</FormFailure>
      {email === undefined ? (
        <Button
          variant={wish === 'undo' ? 'danger' : 'primary'}
          className="h-10 w-full"
          loading={isSending}
          onClick={() => void send()}
        >
          {t(wish === 'undo' ? 'auth.emailLink.undo' : 'auth.emailLink.confirm')}
        </Button>
      ) : (
        <div role="status" className="flex flex-col gap-4">
          <Banner tone="success">
            {t(wish === 'undo' ? 'auth.emailLink.undone' : 'auth.emailLink.confirmed', { email })}
          </Banner>
          {wish === 'undo' ? (
            <LinkButton href={paths.forgotPassword} variant="primary" className="h-10 w-full">
              {t('auth.emailLink.choosePassword')}
            </LinkButton>
          ) : (
            <LinkButton href={paths.login} variant="secondary" className="h-10 w-full">
              {t('auth.emailLink.goOn')}
            </LinkButton>
          )}
        </div>
      )}
    </AuthFrame>
  );
}
