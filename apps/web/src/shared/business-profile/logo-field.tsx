import { logoAddress } from '@app/domain/settings/logo';
import { Building2, ImageUp, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { t } from '../messages.ts';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/controls/file-button.tsx';
import { LogoDialog } from './logo-dialog.tsx';
import { inWorkspace } from '../workspaces/tab-workspace.ts';

interface LogoFieldProps {
  logo: string | null;
  onChange: (logo: string | null) => void;
}

/** The picture of the business, as the round one that telephones show. */
export function LogoField({ logo, onChange }: LogoFieldProps) {
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
          src={inWorkspace(logoAddress(logo))}
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
      <span className="flex flex-wrap gap-2">
        <FileButton
          accept="image/png,image/jpeg"
          label={t('settings.logo.title')}
          icon={<ImageUp aria-hidden />}
          onFile={setFile}
        >
          {t(logo === null ? 'settings.logo.upload' : 'settings.logo.replace')}
        </FileButton>
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
