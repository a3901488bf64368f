import { logoAddress } from '@app/domain/settings/logo';
import { Building2, ImageUp, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { t } from '../messages.ts';
import { Button } from '../../ui/button.tsx';
import { LogoDialog } from './logo-dialog.tsx';

interface LogoFieldProps {
  logo: string | null;
  onChange: (logo: string | null) => void;
}

/** The picture of the business, as the round one that telephones show. */
export function LogoField({ logo, onChange }: LogoFieldProps) {
  const picker = useRef<HTMLInputElement>(null);
  const label = useId();
  const [file, setFile] = useState<File | null>(null);
  return (
    <div role="group" aria-labelledby={label} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {logo === null ? (
        <span
          aria-hidden
          className="grid size-16 shrink-0 place-items-center rounded-full border border-dashed border-control text-muted"
        >
          <Building2 className="size-6" />
        </span>
      ) : (
        <img
          src={logoAddress(logo)}
          alt={t('settings.logo.shown')}
          className="size-16 shrink-0 rounded-full border border-border object-cover"
        />
      )}
      <div className="min-w-48 flex-1">
        <p id={label} className="font-medium">
          {t('settings.logo.title')}
        </p>
        <p className="text-sm text-muted">{t('settings.logo.hint')}</p>
      </div>
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg"
        hidden
        aria-label={t('settings.logo.title')}
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          // The same file can be chosen again after an error.
          event.target.value = '';
          if (chosen) setFile(chosen);
        }}
      />
      <span className="flex flex-wrap gap-2">
        <Button icon={<ImageUp aria-hidden />} onClick={() => picker.current?.click()}>
          {t(logo === null ? 'settings.logo.upload' : 'settings.logo.replace')}
        </Button>
        {logo === null ? null : (
          <Button variant="ghost" icon={<Trash2 aria-hidden />} onClick={() => onChange(null)}>
            {t('settings.logo.remove')}
          </Button>
        )}
      </span>
      {file ? <LogoDialog file={file} onTaken={onChange} onClose={() => setFile(null)} /> : null}
    </div>
  );
}
