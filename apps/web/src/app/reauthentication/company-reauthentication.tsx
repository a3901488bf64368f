import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';

const errorMessage = errorMessageOf({
  company_sign_in_away: 'profile.company.away',
  company_not_linked: 'profile.company.failed',
});
const LOOK_EVERY_MS = 1000;

/**
 * Proves with the company's provider, in a window of its own, so that what the page was doing stays. Whether it is done the server says: between two sites
 * windows may be cut off from each other.
 */
export function CompanyReauthentication({
  name,
  since,
  onProven,
}: {
  name: string;
  /** When they last did. */
  since: string | null;
  onProven: () => void;
}) {
  const [before] = useState(since);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { data } = useQuery({
    ...orpc.companySignIn.get.queryOptions({ input: {} }),
    enabled: isOpen,
    refetchInterval: isOpen ? LOOK_EVERY_MS : false,
  });
  const now = data?.provenAt ?? null;
  const isProven = isOpen && now !== null && now !== before;
  useEffect(() => {
    if (isProven) onProven();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- said once
  }, [isProven]);

  async function open() {
    setProblem(undefined);
    // At once: later the browser would take it for a window that nobody asked for.
    const opened = window.open('about:blank', 'company-proof', 'popup,width=520,height=680');
    if (!opened) return setProblem(t('profile.proof.blocked'));
    try {
      opened.location.href = (await api.companySignIn.beginReauthentication({})).address;
      setOpen(true);
    } catch (error) {
      opened.close();
      setProblem(errorMessage(error));
    }
  }

  return (
    <div>
      <Button icon={<Building2 aria-hidden />} className="w-full" onClick={() => void open()}>
        {t('profile.proof.company', { name })}
      </Button>
      <p className="mt-2 text-sm text-muted">{t('profile.proof.companyText', { name })}</p>
      <div role="alert" className="text-danger empty:hidden">
        {problem}
      </div>
    </div>
  );
}
