import { t } from '../../shared/messages.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Skeleton } from '../../ui/states.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { IntegrationCards } from './integration-cards.tsx';
import { readIntegrationsSearch } from './integrations-queries.ts';

/** The same cards as on the page of integrations, beside workflows. */
export function IntegrationsTab() {
  const hasWords = useMessages('integrations');
  const [{ search }, setUrl] = useUrlState(readIntegrationsSearch);
  if (!hasWords) return <Skeleton className="h-48" />;
  return (
    <div className="flex flex-col gap-4">
      <SearchInput
        className="sm:max-w-sm"
        value={search}
        onChange={(next) => setUrl({ search: next })}
        placeholder={t('integrations.search')}
      />
      <IntegrationCards />
    </div>
  );
}
