import { Plus } from 'lucide-react';
import { Suspense } from 'react';
import { loadMessages, t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { readOneOf, readText, useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AgentBanner } from './agent-banner.tsx';
import { MessagesTab } from './messages/messages-tab.tsx';

const MessageDialog = lazyDialog(async () => (await import('./messages/message-dialog.tsx')).MessageDialog);
const PreviewDialog = lazyDialog(async () => (await import('./messages/preview-dialog.tsx')).PreviewDialog);
const TestDialog = lazyDialog(async () => (await import('./messages/test-dialog.tsx')).TestDialog);
const SettingsTab = lazyPart(async () => (await import('./settings/rcs-settings-tab.tsx')).RcsSettingsTab);

/** With the words of campaigns, which the other tabs do without. */
const CampaignsTab = lazyPart(async () => {
  const words = loadMessages('campaigns', 'sending', 'deliveries', 'writing');
  const [tab] = await Promise.all([import('./campaigns-tab.tsx'), words]);
  return tab.CampaignsTab;
});

const AnalyticsTab = lazyPart(async () => {
  const words = loadMessages('rcs-analytics');
  const [tab] = await Promise.all([import('./analytics/rcs-analytics-tab.tsx'), words]);
  return tab.RcsAnalyticsTab;
});

const tabs = ['messages', 'campaigns', 'analytics', 'settings'] as const;

/** The tab and the open dialog live in the address: `?dialog=edit&message=…`. */
function readPage(search: Record<string, unknown>) {
  return {
    tab: readOneOf(search, 'tab', tabs),
    dialog: readOneOf(search, 'dialog', ['', 'new', 'edit', 'copy', 'preview', 'test']),
    message: readText(search, 'message'),
    // Of the campaigns tab, which reads them.
    ...{ form: readText(search, 'form'), content: readText(search, 'content') },
    // Of the analytics tab.
    ...{ period: readText(search, 'period'), from: readText(search, 'from'), to: readText(search, 'to') },
  };
}

/** Messages with cards and suggestions, and the agent that sends them. */
export function RcsPage() {
  // What the signed-in person may do can change while the page is open.
  useSession();
  const [{ tab, dialog, message }, setUrl] = useUrlState(readPage);
  const close = () => setUrl({ dialog: undefined, message: undefined });
  const maySeeSettings = can('settings:read');
  const maySeeAnalytics = can('analytics:read');
  const isHidden = (tab === 'settings' && !maySeeSettings) || (tab === 'analytics' && !maySeeAnalytics);
  const shown = isHidden ? 'messages' : tab;
  return (
    <PageFrame
      title={t('rcs.title')}
      purpose={t('rcs.purpose')}
      actions={
        can('campaigns:create') ? (
          <Button
            variant="primary"
            icon={<Plus aria-hidden />}
            onClick={() => setUrl({ dialog: 'new' }, { push: true })}
          >
            {t('rcs.create')}
          </Button>
        ) : undefined
      }
    >
      {/* The settings say the same where it is put right. */}
      {shown === 'settings' ? null : (
        <AgentBanner onSettings={() => setUrl({ tab: 'settings' }, { push: true })} />
      )}
      <Tabs
        label={t('rcs.title')}
        value={shown}
        onChange={(next) => setUrl({ tab: next }, { push: true })}
        tabs={[
          { value: 'messages', label: t('rcs.tab.messages') },
          { value: 'campaigns', label: t('rcs.tab.campaigns') },
          ...(maySeeAnalytics ? [{ value: 'analytics' as const, label: t('rcs.tab.analytics') }] : []),
          ...(maySeeSettings ? [{ value: 'settings' as const, label: t('rcs.tab.settings') }] : []),
        ]}
      >
        {shown === 'messages' ? (
          <MessagesTab
            onOpen={(next, id) => setUrl({ dialog: next, message: id }, { push: true })}
            onCreateCampaign={(id) => setUrl({ tab: 'campaigns', form: 'new', content: id }, { push: true })}
          />
        ) : (
          <Suspense fallback={<Skeleton className="h-64" />}>
            {shown === 'campaigns' ? (
              <CampaignsTab />
            ) : shown === 'analytics' ? (
              <AnalyticsTab />
            ) : (
              <SettingsTab />
            )}
          </Suspense>
        )}
      </Tabs>
      {dialog === 'new' || ((dialog === 'edit' || dialog === 'copy') && message !== '') ? (
        <Suspense>
          <MessageDialog
            messageId={dialog === 'new' ? '' : message}
            isCopy={dialog === 'copy'}
            onClose={close}
          />
        </Suspense>
      ) : null}
      {dialog === 'preview' && message !== '' ? (
        <Suspense>
          <PreviewDialog messageId={message} onClose={close} />
        </Suspense>
      ) : null}
      {dialog === 'test' && message !== '' ? (
        <Suspense>
          <TestDialog messageId={message} onClose={close} />
        </Suspense>
      ) : null}
    </PageFrame>
  );
}
