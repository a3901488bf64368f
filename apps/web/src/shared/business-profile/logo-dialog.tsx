import { findLogoProblem, logoFits, logoLimits, type LogoFit } from '@app/domain/settings/logo';
import { useEffect, useState } from 'react';
import { useAction } from '../actions/use-action.ts';
import { errorMessageOf } from '../error-message.ts';
import { t } from '../messages.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { FieldGroup } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { sendLogo } from './send-logo.ts';

const failureOf = errorMessageOf({
  media_type_unsupported: 'settings.logo.unsupported',
  body_too_large: 'settings.logo.tooMuch',
  picture_too_small: 'settings.logo.tooSmall',
  picture_too_large: 'settings.logo.tooLarge',
});

interface LogoDialogProps {
  file: File;
  onTaken: (logo: string) => void;
  onClose: () => void;
}

/** In pixels. */
type Size = { width: number; height: number };

/** How the picture becomes a square, before it is sent. */
export function LogoDialog({ file, onTaken, onClose }: LogoDialogProps) {
  const [fit, setFit] = useState<LogoFit>('crop');
  const address = useFileAddress(file);
  const [size, setSize] = useState<Size | null>(); // null: no browser can show it
  const problem = problemOf(file, size, fit);
  const send = useAction({
    mutationFn: () => sendLogo(file, fit),
    onSuccess: (logo) => {
      onTaken(logo);
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('settings.logo.square')}
      submitLabel={t('settings.logo.use')}
      isSaving={send.isPending}
      isReady={problem === undefined}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      {problem || send.error ? (
        <Banner tone="danger">{problem ? t(problem) : failureOf(send.error)}</Banner>
      ) : null}
      <div className="flex flex-wrap items-center gap-6">
        {address === undefined || size === null ? null : (
          <img
            src={address}
            alt={t('settings.logo.preview')}
            onError={() => setSize(null)}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setSize({ width, height })
            }
            className={`size-32 rounded-full border border-border bg-white ${fit === 'crop' ? 'object-cover' : 'object-contain'}`}
          />
        )}
        <FieldGroup legend={t('settings.logo.fit')} className="min-w-48 flex-1">
          {logoFits.map((one) => (
            <Radio
              key={one}
              name="logo-fit"
              label={t(`settings.logo.fit.${one}`)}
              hint={t(`settings.logo.fit.${one}Hint`)}
              checked={fit === one}
              onChange={() => {
                setFit(one);
                send.reset();
              }}
            />
          ))}
        </FieldGroup>
      </div>
    </FormDialog>
  );
}

/** What the browser knows of it before it is sent; the server looks for itself. */
function problemOf(file: File, size: Size | null | undefined, fit: LogoFit) {
  if (file.size > logoLimits.bytes) return 'settings.logo.tooMuch';
  if (size === null) return 'settings.logo.unsupported';
  const problem = size && findLogoProblem(size, fit);
  return problem && (problem === 'picture_too_small' ? 'settings.logo.tooSmall' : 'settings.logo.tooLarge');
}

function useFileAddress(file: File): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}
