import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Building2, Unlink } from 'lucide-react';
import { useEffect } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { formatDate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { notify } from '../../ui/toast.ts';
import { companySignInOptions } from './profile-queries.ts';

const linkFailure = errorMessageOf({
  company_sign_in_away: 'profile.company.away',
  company_account_taken: 'profile.company.taken',
});
const unlinkFailure = errorMessageOf({ company_only_way_in: 'profile.company.onlyWay' });

/** The company's account of the person, where the operator has named a provider. */
export function CompanyPanel() {
  const { data } = useQuery(companySignInOptions());
  const { link, unlink } = useCompanyActions();
  const confirm = useConfirm();
  useSaidReturn();
  if (!data?.provider) return null;
  const { name } = data.provider;

  async function askToUnlink() {
    const isSure = await confirm({
      title: t('profile.company.unlinkQuestion', { name }),
      confirmLabel: t('profile.company.unlink'),
    });
    if (isSure) unlink.mutate();
  }

  return (
    <Panel title={t('profile.company.title')} purpose={t('profile.company.text', { name })}>
      <p className="mb-4 text-muted">
        {data.link
          ? t('profile.company.linked', { date: formatDate(data.link.linkedAt) })
          : t('profile.company.none')}
      </p>
      {data.link ? (
        <Button icon={<Unlink aria-hidden />} loading={unlink.isPending} onClick={() => void askToUnlink()}>
          {t('profile.company.unlink')}
        </Button>
      ) : (
        <Button icon={<Building2 aria-hidden />} loading={link.isPending} onClick={() => link.mutate()}>
          {t('profile.company.link', { name })}
        </Button>
      )}
    </Panel>
  );
}

function useCompanyActions() {
  const queryClient = useQueryClient();
  const link = useAction({
    mutationFn: () => api.companySignIn.beginLink({}),
    // The browser goes to the provider, and comes back to this page.
    onSuccess: ({ address }) => location.assign(address),
    onError: (error) => notify.error(linkFailure(error)),
  });
  const unlink = useAction({
    mutationFn: () => api.companySignIn.unlink({}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.companySignIn.key() }),
    onError: (error) => notify.error(unlinkFailure(error)),
  });
  return { link, unlink };
}

const returns: Record<string, MessageKey> = {
  company_account_taken: 'profile.company.taken',
  company_sign_in_away: 'profile.company.away',
};

/** Says once what the way to the provider came to, which stands in the address of the return. */
function useSaidReturn(): void {
  useEffect(() => {
    const url = new URL(location.href);
    const code = url.searchParams.get('company');
    if (code === null) return;
    url.searchParams.delete('company');
    history.replaceState(history.state, '', url);
    if (code === 'done') notify.success(t('profile.company.done'));
    else notify.error(t(returns[code] ?? 'profile.company.failed'));
  }, []);
}
