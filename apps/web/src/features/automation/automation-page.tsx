import type { Permission } from '@app/domain/auth/permissions';
import { Suspense, type ComponentType } from 'react';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { readOneOf, useUrlState } from '../../shared/url-state.ts';
import { lazyPart } from '../../ui/load-file.ts';
import { PageFrame } from '../../ui/page-frame.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { WorkflowsTab } from './workflows-tab.tsx';

const automationTabs = ['workflows', 'integrations', 'webhooks', 'analytics'] as const;
type AutomationTab = (typeof automationTabs)[number];

const WebhooksTab = lazyPart(async () => (await import('./hooks-tab.tsx')).HooksTab);

const AnalyticsTab = lazyPart(async () => (await import('./analytics-tab.tsx')).AnalyticsTab);
const IntegrationsTab = lazyPart(
  async () => (await import('../integrations/integrations-tab.tsx')).IntegrationsTab,
);

const panels: Record<AutomationTab, ComponentType> = {
  workflows: WorkflowsTab,
  integrations: IntegrationsTab,
  webhooks: WebhooksTab,
  analytics: AnalyticsTab,
};

/** What a tab needs beside the page; without it the tab is not offered. */
const access: Partial<Record<AutomationTab, Permission>> = {
  integrations: 'settings:read',
  webhooks: 'settings:read',
};

/** Automation: workflows, integrations, webhooks and their figures. */
export function AutomationPage() {
  // What the signed-in person may do can change while the page is open.
  useSession();
  const [{ tab }, setUrl] = useUrlState((search) => ({ tab: readOneOf(search, 'tab', automationTabs) }));
  const offered = automationTabs.filter((value) => {
    const needed = access[value];
    return needed === undefined || can(needed);
  });
  const shown = offered.includes(tab) ? tab : 'workflows';
  const Part = panels[shown];
  return (
    <PageFrame title={t('automation.title')} purpose={t('automation.purpose')}>
      <Tabs
        label={t('automation.tabs')}
        value={shown}
        // Filters belong to their tab.
        onChange={(next) =>
          setUrl({
            tab: next === 'workflows' ? undefined : next,
            ...{ search: undefined, status: undefined, of: undefined, form: undefined, category: undefined },
          })
        }
        tabs={offered.map((value) => ({ value, label: t(`automation.tab.${value}`) }))}
      >
        <Suspense>
          <Part />
        </Suspense>
      </Tabs>
    </PageFrame>
  );
}
