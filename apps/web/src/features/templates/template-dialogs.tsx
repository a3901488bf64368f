import { useQuery } from '@tanstack/react-query';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { TemplatePreviewDialog } from './template-preview-dialog.tsx';
import { templateFailureText } from './template-words.ts';
import { templateOptions, type TemplatesSearch } from './templates-queries.ts';

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
  const isNew = dialog === 'new';
  const query = useQuery({ ...templateOptions(templateId), enabled: !isNew && templateId !== '' });

  if (isNew) return can('templates:create') ? <TemplateEditor mode="create" onClose={close} /> : null;
  if (dialog === '' || templateId === '') return null;
  if (query.data) {
    const template = query.data;
    if (dialog === 'preview')
      return (
        <TemplatePreviewDialog
          template={template}
          onClose={close}
          onEdit={can('templates:update') ? () => onChange('edit', template.id) : undefined}
        />
      );
    if (dialog === 'edit')
      return can('templates:update') ? (
        <TemplateEditor key={template.id} mode="edit" template={template} onClose={close} />
      ) : null;
    return can('templates:create') ? (
      <TemplateEditor key={`${dialog}${template.id}`} mode={dialog} template={template} onClose={close} />
    ) : null;
  }
  return (
    <Dialog open onOpenChange={close} title={t('templates.previewTitle')} size="medium">
      {query.isError ? (
        <ErrorState text={templateFailureText(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonRegion className="flex flex-col gap-3">
          <Skeleton className="w-1/2" />
          <Skeleton className="h-40 w-full" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}
