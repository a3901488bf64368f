import { connectorCategories } from '@app/domain/integrations/connector-kind';
import { useQuery } from '@tanstack/react-query';
import { Download, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDetail } from '../../ui/load-file.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { isConsentReturn } from './consent/consent-ticket.ts';
import { exportIntegrations } from './export-integrations.ts';
import { IntegrationCards } from './integration-cards.tsx';
import { findIntegrations, integrationsOptions, readIntegrationsSearch } from './integrations-queries.ts';

const ConsentReturn = lazyDetail(async () => (await import('./consent/consent-return.tsx')).ConsentReturn);

/** What a service adds to the address when it sends the browser back. */
const readBack = () => ({ code: '', state: '', error: '' });
const noBack = { code: undefined, state: undefined, error: undefined };

/** Connections to other services: their state, their syncs and their errors. */
export function IntegrationsPage() {
  // What the signed-in person may do can change while the page is open.
  useSession();
  const [url, setUrl] = useUrlState(readIntegrationsSearch);
  const [, setBack] = useUrlState(readBack);
  const [isBack, setIsBack] = useState(isConsentReturn);
  const { data } = useQuery(integrationsOptions());
  const totals = data?.totals;
  const shown = findIntegrations(data?.items ?? [], url);
  return (
    <PageFrame
      title={t('integrations.title')}
      purpose={t('integrations.purpose')}
      actions={
        <>
          <Menu
            trigger={
              <Button icon={<Download aria-hidden />} disabled={!data}>
                {t('integrations.exportData')}
              </Button>
            }
            entries={(['csv', 'json'] as const).map((format) => ({
              label: t(format === 'csv' ? 'integrations.exportCsv' : 'integrations.exportJson'),
              // What one sees is what one gets.
              onSelect: () => exportIntegrations(shown, format),
            }))}
          />
          {can('settings:manage') ? (
            <Button
              variant="primary"
              icon={<Plus aria-hidden />}
              onClick={() => setUrl({ dialog: 'add', kind: undefined }, { push: true })}
            >
              {t('integrations.add')}
            </Button>
          ) : null}
        </>
      }
      summary={
        <SummaryCards label={t('integrations.title')}>
          <SummaryCard label={t('integrations.tile.connected')} value={totals?.connected} />
          <SummaryCard label={t('integrations.tile.records')} value={totals?.recordsSynced} />
          <SummaryCard label={t('integrations.tile.active')} value={totals?.activeSyncs} />
          <SummaryCard label={t('integrations.tile.errors')} value={totals?.errors} />
        </SummaryCards>
      }
      toolbar={
        <div className="flex flex-col gap-3">
          <div role="group" aria-label={t('integrations.categories')} className="flex flex-wrap gap-1.5">
            {(['', ...connectorCategories] as const).map((category) => (
              <Button
                key={category}
                size="small"
                variant={url.category === category ? 'primary' : 'secondary'}
                aria-pressed={url.category === category}
                onClick={() => setUrl({ category })}
              >
                {t(`integrations.category.${category === '' ? 'all' : category}`)}
              </Button>
            ))}
          </div>
          <SearchInput
            className="sm:max-w-sm"
            value={url.search}
            onChange={(search) => setUrl({ search })}
            placeholder={t('integrations.search')}
          />
        </div>
      }
    >
      {isBack && data && can('settings:manage') ? (
        <Suspense>
          <div className="mb-4">
            <ConsentReturn
              items={data.items}
              onDone={(kind) => {
                if (kind) setIsBack(false);
                setBack(noBack);
                if (kind) setUrl({ dialog: 'configure', kind });
              }}
              onAgain={(kind) => {
                setIsBack(false);
                setUrl({ dialog: kind ? 'connect' : 'add', kind: kind ?? undefined });
              }}
            />
          </div>
        </Suspense>
      ) : null}
      <IntegrationCards />
    </PageFrame>
  );
}
