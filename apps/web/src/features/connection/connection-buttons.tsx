import { PlugZap, Save, Unplug } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';

/** What a form of a connection can do: save it, try it and, where it is connected, disconnect it. */
export function ConnectionButtons({
  saveLabel,
  isSaved,
  isSaving,
  isTesting,
  isDisconnecting,
  onTest,
  onDisconnect,
}: {
  saveLabel: string;
  /** Nothing is left to save. */
  isSaved: boolean;
  isSaving: boolean;
  isTesting: boolean;
  isDisconnecting: boolean;
  onTest: () => void;
  /** Undefined where nothing is connected. */
  onDisconnect: (() => void) | undefined;
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        type="submit"
        variant="primary"
        icon={<Save aria-hidden />}
        disabled={isSaved}
        loading={isSaving}
      >
        {saveLabel}
      </Button>
      <Button icon={<PlugZap aria-hidden />} loading={isTesting} onClick={onTest}>
        {t('connection.test')}
      </Button>
      {onDisconnect ? (
        <Button
          variant="danger-ghost"
          className="ml-auto"
          icon={<Unplug aria-hidden />}
          loading={isDisconnecting}
          onClick={onDisconnect}
        >
          {t('connection.disconnect')}
        </Button>
      ) : null}
    </div>
  );
}
