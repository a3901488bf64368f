import { Building2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../shared/messages.ts';
import { postCompanyBegin } from '../../shared/sign-in/sign-in-calls.ts';
import { Button } from '../../ui/button.tsx';
import { authErrorMessage } from './auth-error-message.ts';

/** The way through the company's own provider: the browser goes there and comes back to this page. */
export function CompanySignIn({
  name,
  rememberMe,
  returnTo,
  onFailure,
}: {
  name: string;
  rememberMe: boolean;
  returnTo: string;
  onFailure: (text: string | undefined) => void;
}) {
  const [isGoing, setGoing] = useState(false);
  // Who comes back with the browser's own button finds the page as it was left.
  useEffect(() => {
    const stand = () => setGoing(false);
    addEventListener('pageshow', stand);
    return () => removeEventListener('pageshow', stand);
  }, []);

  async function go() {
    onFailure(undefined);
    setGoing(true);
    try {
      location.assign((await postCompanyBegin({ rememberMe, returnTo })).address);
    } catch (error) {
      onFailure(authErrorMessage(error, 'auth.failure.signIn'));
      setGoing(false);
    }
  }

  return (
    <div className="mt-6">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        {t('auth.company.or')}
      </p>
      <Button
        icon={<Building2 aria-hidden />}
        className="mt-4 h-auto min-h-10 w-full wrap-anywhere whitespace-normal"
        loading={isGoing}
        onClick={() => void go()}
      >
        {t('auth.company.signIn', { name })}
      </Button>
    </div>
  );
}
