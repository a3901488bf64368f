import { useRef, useState } from 'react';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ErrorsList } from './records/errors-list.tsx';
import { HeldList } from './records/held-list.tsx';
import { EventsPart } from './events-part.tsx';
import { PreviewPart } from './preview-part.tsx';
import { RunsList } from './records/runs-list.tsx';
import { SettingsForm } from './settings-form.tsx';
import { StatusLine } from './status-line.tsx';
import { problemText, uncheckedOf, type Integration } from './integrations-queries.ts';
import { useIntegrationActions } from './use-integration-actions.ts';

const tabs = ['settings', 'history', 'errors', 'held', 'events'] as const;

/** One connection: its settings, its syncs and what could not be exchanged. Before the first sync its preview. */
export function ConfigureDialog({
  integration,
  onFix,
  onClose,
}: {
  integration: Integration;
  onFix: () => void;
  onClose: () => void;
}) {
  const { title, account, keyHint, problem, problemDetail, status, syncsContacts, isStarted } = integration;
  const counts = { errors: integration.errors, held: integration.recordsHeld };
  const [tab, setTab] = useState<(typeof tabs)[number]>('settings');
  const { check, isBusy } = useIntegrationActions(integration);
  const manages = can('settings:manage');
  // The first field is below the preview, which a person should read first.
  const top = useRef<HTMLDivElement>(null);
  const hasPreview = syncsContacts && !isStarted;
  const unchecked = uncheckedOf(integration);
  const facts = [
    account === null ? null : t('integrations.account', { name: account }),
    keyHint === null ? null : t('integrations.key', { hint: keyHint }),
  ];
  const offers = {
    ...{ settings: true, history: true, errors: can('contacts:read'), events: integration.hearsEvents },
    // It stays while it is looked at and the last record comes in.
    held: can('contacts:read') && (counts.held > 0 || tab === 'held'),
  };
  const offered = tabs.filter((value) => offers[value]);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      size="large"
      keepOpenOnOutsidePress
      initialFocus={hasPreview ? top : undefined}
      title={t('integrations.configureOf', { name: title })}
      description={facts.filter(Boolean).join(' · ') || undefined}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div ref={top} tabIndex={-1} className="outline-none">
          <StatusLine integration={integration} />
        </div>
        {status !== 'error' && unchecked ? (
          <p className="text-sm text-pretty text-muted">{unchecked}</p>
        ) : null}
        {problem ? (
          <Banner
            tone={status === 'error' ? 'danger' : 'warning'}
            action={
              manages ? (
                status === 'error' ? (
                  <Button size="small" onClick={onFix}>
                    {t('integrations.fix')}
                  </Button>
                ) : problem === 'plan_full' ? (
                  offers.held && tab !== 'held' ? (
                    <Button size="small" onClick={() => setTab('held')}>
                      {t('integrations.showHeld')}
                    </Button>
                  ) : undefined
                ) : (
                  <Button size="small" disabled={isBusy} onClick={check}>
                    {t('integrations.check')}
                  </Button>
                )
              ) : undefined
            }
          >
            {problemText(problem, problemDetail)}
          </Banner>
        ) : null}
        {hasPreview ? <PreviewPart integration={integration} /> : null}
        {syncsContacts ? (
          <Tabs
            label={t('integrations.tabs')}
            value={tab}
            onChange={setTab}
            tabs={offered.map((value) => ({
              value,
              label: t(`integrations.tab.${value}`),
              ...((value === 'errors' || value === 'held') && counts[value] > 0 && { count: counts[value] }),
            }))}
          >
            <div className="pt-4">
              {/* A form keeps what was chosen in it while another tab is looked at. */}
              <div hidden={tab !== 'settings'}>
                <SettingsForm integration={integration} onSaved={onClose} />
              </div>
              {tab === 'history' ? <RunsList kind={integration.kind} /> : null}
              {tab === 'errors' ? <ErrorsList integration={integration} /> : null}
              {tab === 'held' ? <HeldList integration={integration} /> : null}
              {integration.hearsEvents ? (
                <div hidden={tab !== 'events'}>
                  <EventsPart integration={integration} onSaved={onClose} />
                </div>
              ) : null}
            </div>
          </Tabs>
        ) : null}
        {integration.hearsEvents && !syncsContacts ? (
          <EventsPart integration={integration} onSaved={onClose} />
        ) : null}
      </div>
    </Dialog>
  );
}
