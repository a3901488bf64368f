import { reportViewLimits, reportViewParts } from '@app/domain/analytics/report-view';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, BookmarkPlus, Link2, Mail, Pencil, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, readFailure, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { readAnalyticsSearch, type AnalyticsSearch } from './analytics-queries.ts';
import { queryOf } from './view-query.ts';

const MailView = lazyDialog(async () => (await import('./mail-view.tsx')).MailView);
const ReportLinks = lazyDialog(async () => (await import('./report-links.tsx')).ReportLinks);

type ReportView = Awaited<ReturnType<typeof api.reportViews.list>>['items'][number];

const viewsOptions = orpc.reportViews.list.queryOptions({ input: {}, staleTime: 60_000 });
const viewErrorMessage = errorMessageOf({
  report_views_full: 'analytics.views.full',
  report_view_not_found: 'analytics.views.gone',
});

function isShown(search: AnalyticsSearch, { query }: ReportView): boolean {
  const shown = queryOf(search);
  return reportViewParts.every((name) => (shown[name] ?? '') === (query[name] ?? ''));
}

/** One's own views, and what is done with them. */
export function ReportViews({
  search,
  onChange,
  open,
  onOpenChange,
}: {
  search: AnalyticsSearch;
  onChange: (patch: Partial<AnalyticsSearch>, options?: { push?: boolean }) => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  /** `mail`: what is shown has no name yet, and is to come by mail once it has one. */
  const [saving, setSaving] = useState<'view' | 'mail'>();
  const [isSharing, setSharing] = useState(false);
  const [mailed, setMailed] = useState<ReportView>();
  const [renamed, setRenamed] = useState<ReportView>();
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const remove = useAction(orpc.reportViews.remove.mutationOptions());
  const views = useQuery(viewsOptions).data?.items ?? [];
  useLiveQuery(['report-views'], [viewsOptions.queryKey]);
  const current = views.find((view) => isShown(search, view));

  async function askToDelete({ id, name }: ReportView) {
    const isSure = await confirm({
      title: t('analytics.views.deleteQuestion', { name }),
      text: t('analytics.views.deleteText'),
      confirmLabel: t('common.delete'),
    });
    if (!isSure) return;
    try {
      await remove.mutateAsync({ reportViewId: id });
      notify.success(t('analytics.views.deleted'));
    } catch (error) {
      notify.error(viewErrorMessage(error));
    }
    await queryClient.invalidateQueries({ queryKey: viewsOptions.queryKey });
  }

  return (
    <>
      <Menu
        open={open}
        onOpenChange={onOpenChange}
        trigger={
          <Button icon={<Bookmark aria-hidden />} className="max-w-full">
            <bdi className="min-w-0 truncate">{current?.name ?? t('analytics.views')}</bdi>
          </Button>
        }
        entries={[
          ...views.map((view) => ({
            label: view.name,
            checked: view === current,
            onSelect: () => onChange(readAnalyticsSearch(view.query), { push: true }),
          })),
          ...(views.length > 0 ? (['separator'] as const) : []),
          {
            label: t('analytics.views.save'),
            icon: <BookmarkPlus aria-hidden />,
            onSelect: () => setSaving('view'),
          },
          {
            label: t('analytics.mail.open'),
            icon: <Mail aria-hidden />,
            onSelect: () => (current ? setMailed(current) : setSaving('mail')),
          },
          ...(can('campaigns:update')
            ? [
                {
                  label: t('analytics.links.share'),
                  icon: <Link2 aria-hidden />,
                  onSelect: () => setSharing(true),
                },
              ]
            : []),
          ...(current
            ? [
                {
                  label: t('analytics.views.rename', { name: current.name }),
                  icon: <Pencil aria-hidden />,
                  onSelect: () => setRenamed(current),
                },
                {
                  label: t('analytics.views.delete', { name: current.name }),
                  icon: <Trash2 aria-hidden />,
                  danger: true,
                  onSelect: () => void askToDelete(current),
                },
              ]
            : []),
        ]}
      />
      {mailed ? (
        <Suspense>
          <MailView view={mailed} onClose={() => setMailed(undefined)} />
        </Suspense>
      ) : null}
      {renamed ? <RenameView view={renamed} onClose={() => setRenamed(undefined)} /> : null}
      {isSharing ? (
        <Suspense>
          <ReportLinks search={search} name={current?.name ?? ''} onClose={() => setSharing(false)} />
        </Suspense>
      ) : null}
      {saving ? (
        <SaveView
          views={views}
          name={current?.name ?? ''}
          query={queryOf(search)}
          onSaved={(view) => {
            if (saving === 'mail') setMailed(view);
          }}
          onClose={() => setSaving(undefined)}
        />
      ) : null}
    </>
  );
}

function SaveView({
  views,
  query,
  name: before,
  onSaved,
  onClose,
}: {
  views: readonly ReportView[];
  query: ReportView['query'];
  name: string;
  onSaved: (view: ReportView) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(before);
  const queryClient = useQueryClient();
  const saving = useAction(orpc.reportViews.save.mutationOptions());
  const replaces = views.some((view) => view.name.toLowerCase() === name.trim().toLowerCase());

  async function save() {
    try {
      const view = await saving.mutateAsync({ name, query });
      notify.success(t('analytics.views.saved'));
      await queryClient.invalidateQueries({ queryKey: viewsOptions.queryKey });
      onSaved(view);
      onClose();
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  return (
    <FormDialog
      size="small"
      title={t('analytics.views.save')}
      description={t('analytics.views.purpose')}
      submitLabel={t('common.save')}
      isReady={name.trim() !== ''}
      whyNot={t('analytics.views.nameNeeded')}
      isSaving={saving.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {saving.error ? <Banner tone="danger">{viewErrorMessage(saving.error)}</Banner> : null}
      <ViewName name={name} hint={replaces ? t('analytics.views.replaces') : undefined} onChange={setName} />
    </FormDialog>
  );
}

/** Another name for a view; its mails and what it shows stay. */
function RenameView({ view, onClose }: { view: ReportView; onClose: () => void }) {
  const [name, setName] = useState(view.name);
  /** The name that is replaced: the one that the person saw. */
  const [before, setBefore] = useState(view.name);
  const queryClient = useQueryClient();
  const renaming = useAction(orpc.reportViews.rename.mutationOptions());
  const code = renaming.error && readFailure(renaming.error).code;

  async function rename() {
    try {
      await renaming.mutateAsync({ reportViewId: view.id, name, before });
      notify.success(t('analytics.views.renamed'));
      await queryClient.invalidateQueries({ queryKey: viewsOptions.queryKey });
      onClose();
    } catch (error) {
      if (readFailure(error).code !== 'report_view_changed') return; // shown in the form, from the failed call
      const theirs = await queryClient.fetchQuery({ ...viewsOptions, staleTime: 0 }).then(
        ({ items }) => items.find(({ id }) => id === view.id),
        () => undefined,
      );
      if (theirs) setBefore(theirs.name);
    }
  }

  return (
    <FormDialog
      size="small"
      title={t('analytics.views.renameTitle')}
      submitLabel={t('common.save')}
      isReady={name.trim() !== ''}
      whyNot={t('analytics.views.nameNeeded')}
      isSaving={renaming.isPending}
      onSubmit={() => void rename()}
      onClose={onClose}
    >
      {code === 'report_view_changed' ? (
        <Banner tone="danger">{t('analytics.views.changed', { name: before })}</Banner>
      ) : renaming.error && code !== 'report_view_taken' ? (
        <Banner tone="danger">{viewErrorMessage(renaming.error)}</Banner>
      ) : null}
      <ViewName
        name={name}
        error={code === 'report_view_taken' ? t('analytics.views.taken') : undefined}
        onChange={setName}
      />
    </FormDialog>
  );
}

function ViewName({
  name,
  hint,
  error,
  onChange,
}: {
  name: string;
  hint?: string | undefined;
  error?: string | undefined;
  onChange: (name: string) => void;
}) {
  return (
    <Field label={t('analytics.views.name')} required hint={hint} error={error}>
      <Input
        value={name}
        dir="auto"
        maxLength={reportViewLimits.name}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
