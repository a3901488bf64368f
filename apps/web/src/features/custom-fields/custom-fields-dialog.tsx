import { useQuery } from '@tanstack/react-query';
import { ListPlus, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import { customFieldsOptions, type CustomField } from '../../shared/contacts/custom-fields.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { CustomFieldForm } from './custom-field-form.tsx';
import { CustomFieldList } from './custom-field-list.tsx';

/** The custom fields of contacts: one list, and a form in its place for a new or changed one. */
export function CustomFieldsDialog({ onClose }: { onClose: () => void }) {
  const [edited, setEdited] = useState<CustomField | 'new'>();
  // Who comes back from the form goes on with the next one.
  const [isBack, setBack] = useState(false);
  const next = useRef<HTMLButtonElement>(null);
  const query = useQuery(customFieldsOptions);
  const fields = query.data?.items ?? [];
  const isFull = fields.length >= customFieldLimits.fields;

  if (edited) {
    return (
      <CustomFieldForm
        field={edited === 'new' ? undefined : edited}
        takenKeys={fields.map(({ key }) => key)}
        onDone={() => {
          setBack(true);
          setEdited(undefined);
        }}
      />
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      size="large"
      initialFocus={isBack ? next : undefined}
      title={t('contacts.fields')}
      description={t('contacts.fields.purpose')}
      footer={
        <>
          {fields.length > 0 ? (
            <p className="mr-auto text-sm text-muted tabular-nums">
              {t(isFull ? 'contacts.fields.full' : 'contacts.fields.count', {
                n: fields.length,
                most: customFieldLimits.fields,
              })}
            </p>
          ) : null}
          <Button onClick={onClose}>{t('common.close')}</Button>
          <Button
            ref={next}
            variant="primary"
            icon={<Plus aria-hidden />}
            disabled={isFull || !query.data}
            onClick={() => setEdited('new')}
          >
            {t('contacts.fields.new')}
          </Button>
        </>
      }
    >
      {query.data ? (
        fields.length > 0 ? (
          <CustomFieldList fields={fields} onEdit={setEdited} />
        ) : (
          <EmptyState
            icon={<ListPlus />}
            title={t('contacts.fields.empty')}
            text={t('contacts.fields.emptyText')}
          />
        )
      ) : query.isError ? (
        <ErrorState text={errorMessage(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonRegion className="grid gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}
