import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** The recovery codes, this once: a press beside the dialog does not lose them. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      keepOpenOnOutsidePress
      size="small"
      title={t('profile.twoFactor.codesTitle')}
      description={t('profile.twoFactor.codesText')}
      footer={
        <>
          <CopyButton text={codes.join('\n')} label={t('profile.twoFactor.codesCopy')} />
          <Button variant="primary" onClick={onClose}>
            {t('profile.twoFactor.codesDone')}
          </Button>
        </>
      }
    >
      <ul className="grid grid-cols-2 gap-2">
        {codes.map((code) => (
          <li key={code} className="rounded-card bg-sunken py-1.5 text-center font-mono select-all">
            {code}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
