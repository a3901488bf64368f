import { stillNeeded } from '../../shared/actions/still-needed.ts';
import { useEffect, useState } from 'react';
import { api } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

const errorMessage = errorMessageOf({
  code_wrong: 'profile.twoFactor.codeWrong',
  two_factor_locked: 'profile.twoFactor.locked',
});

/** A new secret for the app; the first code of it switches the second factor on. */
export function SetUpDialog({
  onClose,
  onEnabled,
}: {
  onClose: () => void;
  onEnabled: (recoveryCodes: readonly string[]) => void;
}) {
  const [code, setCode] = useState('');
  const begin = useAction({
    mutationFn: () => api.twoFactor.begin({}),
    onError: (error) => {
      onClose();
      notify.error(errorMessage(error));
    },
  });
  const enable = useAction({
    mutationFn: () => api.twoFactor.enable({ code }),
    onSuccess: ({ recoveryCodes }) => onEnabled(recoveryCodes),
    // It shows at the field.
    onError: () => undefined,
  });
  const { mutate } = begin;
  // Once for each opening; what was drawn and never used counts for nothing.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => mutate(), []);
  if (begin.isPending && !begin.data) return null;
  const { data } = begin;
  return (
    <FormDialog
      title={t('profile.twoFactor.title')}
      description={t('profile.twoFactor.scan')}
      size="small"
      submitLabel={t('profile.twoFactor.verify')}
      isReady={code.trim() !== '' && data !== undefined}
      whyNot={stillNeeded(t('profile.twoFactor.code'))}
      isSaving={enable.isPending}
      onSubmit={() => enable.mutate()}
      onClose={onClose}
    >
      {data ? (
        <>
          <img
            src={data.picture}
            alt={t('profile.twoFactor.picture')}
            className="size-48 justify-self-center rounded-card bg-white"
          />
          <div>
            <p className="text-sm text-muted">{t('profile.twoFactor.byHand')}</p>
            <div className="mt-1 flex items-center gap-2">
              <code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
                {data.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
              </code>
              <CopyButton text={data.secret} />
            </div>
          </div>
        </>
      ) : (
        <Skeleton className="size-48 justify-self-center" />
      )}
      <Field
        label={t('profile.twoFactor.code')}
        error={enable.error ? errorMessage(enable.error) : undefined}
        required
      >
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          className="font-mono tracking-widest"
          value={code}
          onChange={(event) => {
            setCode(event.target.value);
            enable.reset();
          }}
        />
      </Field>
    </FormDialog>
  );
}
