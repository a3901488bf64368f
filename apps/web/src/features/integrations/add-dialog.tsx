import { connectorCategories } from '@app/domain/integrations/connector-kind';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { descriptionOf, type Integration } from './integrations-queries.ts';

/** The services that are not connected; one account of each. */
export function AddDialog({
  items,
  onChoose,
  onClose,
}: {
  items: readonly Integration[];
  onChoose: (kind: string) => void;
  onClose: () => void;
}) {
  const offered = items.filter(({ status }) => status === 'disconnected');
  const order = (one: Integration) => connectorCategories.indexOf(one.category);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('integrations.add')}
    >
      {offered.length === 0 ? <p className="text-muted">{t('integrations.allConnected')}</p> : null}
      <ul className="grid divide-y divide-border">
        {offered
          .toSorted((a, b) => order(a) - order(b))
          .map((one) => (
            <li key={one.kind} className="flex items-center justify-between gap-4 py-3">
              <span className="min-w-0">
                <span className="block font-medium">{one.title}</span>
                <span className="block text-sm text-muted">{descriptionOf(one)}</span>
              </span>
              <Button
                onClick={() => onChoose(one.kind)}
                aria-label={t('integrations.connectOf', { name: one.title })}
              >
                {t('integrations.connect')}
              </Button>
            </li>
          ))}
      </ul>
    </Dialog>
  );
}
