import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Banner } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import { dropTicket, readTicket } from './consent-ticket.ts';
import {
  connectErrorMessage,
  integrationKeys,
  problemText,
  type Integration,
} from '../integrations-queries.ts';

/** What came of a consent: the connection is made, or it says why not. */
export function ConsentReturn({
  items,
  onDone,
  onAgain,
}: {
  items: readonly Integration[];
  /** The way back is over, and its values leave the address; `kind` was connected. */
  onDone: (kind?: string) => void;
  /** Null where it is not known which service it was. */
  onAgain: (kind: string | null) => void;
}) {
  const [back] = useState(() => new URLSearchParams(location.search));
  const [begun] = useState(readTicket);
  const isBegun = useRef(false);
  const queryClient = useQueryClient();
  const kind = begun?.kind ?? null;
  const name = items.find((one) => one.kind === kind)?.title ?? '';
  const [state, code, denied] = ['state', 'code', 'error'].map((key) => back.get(key) ?? '');
  const canFinish = begun !== null && code !== '' && denied === '';
  const finish = useAction({
    mutationFn: () =>
      api.integrations.finishConsent({
        ...{ kind: begun?.kind ?? '', ticket: begun?.ticket ?? '', state: state ?? '', code: code ?? '' },
      }),
    onSuccess: async (connected) => {
      notify.success(t('integrations.connectedNow', { name: connected.title }));
      for (const queryKey of integrationKeys()) await queryClient.invalidateQueries({ queryKey });
      onDone(connected.kind);
    },
    onError: () => onDone(),
  });
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    // Not while rendering: a render may be thrown away.
    dropTicket();
    if (canFinish) finish.mutate();
    else onDone();
  });
  if (canFinish && !finish.error)
    return finish.isSuccess ? null : <Banner>{t('integrations.consentRunning', { name })}</Banner>;
  const reason = finish.error
    ? connectErrorMessage(finish.error)
    : denied === 'access_denied'
      ? t('integrations.consentDenied', { name: name || t('integrations.theService') })
      : denied
        ? problemText('service_rejected', denied)
        : t('integrations.error.consentExpired');
  return (
    <Banner
      tone="danger"
      action={
        <Button size="small" onClick={() => onAgain(kind)}>
          {t('integrations.connectAgain')}
        </Button>
      }
    >
      {reason}
    </Banner>
  );
}
