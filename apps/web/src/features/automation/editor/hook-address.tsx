import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { orpc } from '../../../shared/api.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { notify } from '../../../ui/toast.ts';
import { workflowErrorMessage } from '../workflows-queries.ts';

/** A user who has just copied the address makes the first call and looks for it here. */
const FIRST_CALL_EVERY_MS = 2_000;
const LATER_CALLS_EVERY_MS = 10_000;

/** The addresses of a workflow; without the permission for them, none. `watched`: the trigger whose calls appear by themselves. */
export function useHooks(workflowId: string, isNeeded: boolean, watched?: string) {
  return useQuery(
    orpc.workflowHooks.list.queryOptions({
      input: { workflowId },
      enabled: isNeeded && can('campaigns:update') && can('contacts:read'),
      refetchInterval: ({ state }) => {
        const hook = state.data?.items.find(({ triggerId }) => triggerId === watched);
        if (!hook) return false;
        return hook.lastCallAt === null ? FIRST_CALL_EVERY_MS : LATER_CALLS_EVERY_MS;
      },
    }),
  );
}

/** Where another service begins runs, and the last call that came there. */
export function HookAddress({ workflowId, triggerId }: { workflowId: string; triggerId: string }) {
  const queryClient = useQueryClient();
  const hooks = useHooks(workflowId, true, triggerId);
  const set = useAction(
    orpc.workflowHooks.set.mutationOptions({
      onError: (error) => notify.error(workflowErrorMessage(error)),
      onSettled: () => queryClient.invalidateQueries({ queryKey: orpc.workflowHooks.key() }),
    }),
  );
  // It is shown once: the server stores no more than its fingerprint.
  const [secret, setSecret] = useState<string | null>(null);
  const changeSecret = (next: string | null) =>
    set.mutate({ workflowId, triggerId, secret: next }, { onSuccess: () => setSecret(next) });
  const hook = hooks.data?.items.find((one) => one.triggerId === triggerId);
  if (!can('campaigns:update') || !can('contacts:read')) return null;
  if (!hook)
    return (
      <Button
        className="justify-self-start"
        loading={set.isPending}
        disabled={hooks.isPending}
        onClick={() => set.mutate({ workflowId, triggerId })}
      >
        {t('automation.hook.create')}
      </Button>
    );
  return (
    <div className="grid gap-3">
      <Field label={t('automation.hook.address')} hint={t('automation.hook.hint')}>
        <Input readOnly dir="ltr" value={hook.url} onFocus={(event) => event.target.select()} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={hook.url} label={t('automation.hook.copy')} />
        <Button loading={set.isPending} onClick={() => changeSecret(newSecret())}>
          {t(hook.hasSecret ? 'automation.hook.replaceSecret' : 'automation.hook.addSecret')}
        </Button>
        {hook.hasSecret ? (
          <Button variant="ghost" disabled={set.isPending} onClick={() => changeSecret(null)}>
            {t('automation.hook.removeSecret')}
          </Button>
        ) : null}
      </div>
      {secret === null ? null : (
        <Field label={t('automation.hook.secret')} hint={t('automation.hook.secretHint')}>
          <Input readOnly dir="ltr" value={secret} onFocus={(event) => event.target.select()} />
        </Field>
      )}
      <p className="text-sm text-muted" role="status">
        {hook.lastCallAt === null
          ? t('automation.hook.noCall')
          : t('automation.hook.lastCall', { time: formatDateTime(hook.lastCallAt), n: hook.calls })}
      </p>
      {hook.sample === null ? null : (
        <pre className="max-h-48 overflow-auto rounded-lg bg-sunken p-3 text-sm" tabIndex={0}>
          {JSON.stringify(hook.sample, null, 2)}
        </pre>
      )}
    </div>
  );
}

/** 32 letters and digits by chance. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
