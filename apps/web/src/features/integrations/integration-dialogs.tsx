import { useQuery } from '@tanstack/react-query';
import { AddDialog } from './add-dialog.tsx';
import { ConfigureDialog } from './configure-dialog.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import {
  integrationsOptions,
  type IntegrationDialog,
  type IntegrationsSearch,
} from './integrations-queries.ts';
import { can } from '../../shared/session.ts';

/** The dialog that the address names. One of a kind that is not there does not open. */
export function IntegrationDialogs({
  url,
  onOpen,
  onClose,
}: {
  url: IntegrationsSearch;
  onOpen: (dialog: IntegrationDialog, kind: string) => void;
  onClose: () => void;
}) {
  const { data } = useQuery(integrationsOptions());
  if (!data) return null;
  const manages = can('settings:manage');
  if (url.dialog === 'add')
    return manages ? (
      <AddDialog items={data.items} onChoose={(kind) => onOpen('connect', kind)} onClose={onClose} />
    ) : null;
  const integration = data.items.find(({ kind }) => kind === url.kind);
  if (!integration) return null;
  if (url.dialog === 'connect')
    return manages ? (
      <ConnectDialog
        key={integration.kind}
        integration={integration}
        onDone={() =>
          integration.syncsContacts || integration.hearsEvents
            ? onOpen('configure', integration.kind)
            : onClose()
        }
        onClose={onClose}
      />
    ) : null;
  if (integration.status === 'disconnected') return null;
  return (
    <ConfigureDialog
      key={integration.kind}
      integration={integration}
      onFix={() => onOpen('connect', integration.kind)}
      onClose={onClose}
    />
  );
}
