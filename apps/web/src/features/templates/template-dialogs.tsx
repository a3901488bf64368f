import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { TemplatePreviewDialog } from './template-preview-dialog.tsx';
import { templateErrorMessage } from './template-words.ts';
import { templateOptions, type Template, type TemplatesSearch } from './templates-queries.ts';

type DialogName = TemplatesSearch['dialog'];

/** The dialog that the address names; it loads the template itself, so that a link to it works. */
export function TemplateDialogs({
  dialog,
  templateId,
  onChange,
}: {
  dialog: DialogName;
  templateId: string;
  onChange: (dialog: DialogName, templateId: string | undefined) => void;
}) {
  const close = () => onChange('', undefined);
  if (dialog === 'new')
    return can('templates:create') ? <TemplateEditor mode="create" onClose={close} /> : null;
  if (dialog === '' || templateId === '') return null;
  if (dialog === 'preview')
    return (
      <StoredPreview templateId={templateId} onClose={close} onEdit={() => onChange('edit', templateId)} />
    );
  if (!can(dialog === 'edit' ? 'templates:update' : 'templates:create')) return null;
  return (
    <StoredEditor key={`${dialog}${templateId}`} mode={dialog} templateId={templateId} onClose={close} />
  );
}

function StoredPreview({
  templateId,
  onClose,
  onEdit,
}: {
  templateId: string;
  onClose: () => void;
  onEdit: () => void;
}) {
  const found = useQuery(templateOptions(templateId));
  if (!found.isSuccess)
    return <Unready query={found} title={t('templates.previewTitle')} onClose={onClose} />;
  return (
    <TemplatePreviewDialog
      template={found.data}
      onClose={onClose}
      onEdit={can('templates:update') ? onEdit : undefined}
    />
  );
}

function StoredEditor({
  mode,
  templateId,
  onClose,
}: {
  mode: 'edit' | 'duplicate' | 'translate';
  templateId: string;
  onClose: () => void;
}) {
  // Read once: a later change by somebody else must not pull the ground from under what is typed.
  const found = useQuery({
    ...templateOptions(templateId),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const [opened, setOpened] = useState<Template>();
  if (!opened && found.isSuccess && found.isFetchedAfterMount) setOpened(found.data);
  if (opened) return <TemplateEditor mode={mode} template={opened} onClose={onClose} />;
  const title = mode === 'edit' ? t('templates.form.editTitle') : t('templates.form.createTitle');
  return <Unready query={found} title={title} onClose={onClose} />;
}

function Unready({
  query,
  title,
  onClose,
}: {
  query: { isError: boolean; error: unknown; refetch: () => unknown };
  title: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      size="medium"
      footer={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      {query.isError ? (
        <ErrorState text={templateErrorMessage(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonRegion className="flex flex-col gap-3">
          <Skeleton className="w-1/2" />
          <Skeleton className="h-40 w-full" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}
