import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { customFieldsOptions, type CustomField } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import { createLatestSaver } from '../../shared/save-latest.ts';
import { can } from '../../shared/session.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { fieldErrorMessage } from './custom-field-failure.ts';
import { refreshContacts } from '../../shared/contacts/contacts-queries.ts';

type Usage = Awaited<ReturnType<typeof api.customFields.getUsage>>;

export function CustomFieldList({
  fields,
  onEdit,
}: {
  fields: readonly CustomField[];
  onEdit: (field: CustomField) => void;
}) {
  const move = useMove(fields);
  const { askToDelete, kept } = useDelete();
  return (
    <div className="grid gap-3">
      {kept ? <Banner tone="warning">{usersText(kept)}</Banner> : null}
      <ul className="divide-y divide-border rounded-card border border-border">
        {fields.map((field, index) => (
          <li key={field.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
            <div className="min-w-0 flex-1 basis-48">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="font-medium wrap-anywhere">{field.label}</span>
                <Badge>{t(`contacts.field.type.${field.type}`)}</Badge>
              </p>
              <p className="text-sm wrap-anywhere text-muted">
                <code className="font-mono">{`{{${field.key}}}`}</code>
                {field.description ? ` · ${field.description}` : null}
              </p>
              {field.type === 'choice' ? (
                <p className="truncate text-sm text-muted">{field.options.join(', ')}</p>
              ) : null}
            </div>
            <div className="flex">
              <IconButton
                id={moverId(field.id, -1)}
                label={t('contacts.fields.moveUp', { label: field.label })}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              >
                <ArrowUp aria-hidden />
              </IconButton>
              <IconButton
                id={moverId(field.id, 1)}
                label={t('contacts.fields.moveDown', { label: field.label })}
                disabled={index === fields.length - 1}
                onClick={() => move(index, 1)}
              >
                <ArrowDown aria-hidden />
              </IconButton>
              <IconButton
                label={t('contacts.fields.edit', { label: field.label })}
                onClick={() => onEdit(field)}
              >
                <Pencil aria-hidden />
              </IconButton>
              {can('contacts:delete') ? (
                <IconButton
                  label={t('contacts.fields.delete', { label: field.label })}
                  onClick={() => void askToDelete(field)}
                >
                  <Trash2 aria-hidden />
                </IconButton>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Shows the new order at once; a refusal brings the true one back. */
function useMove(fields: readonly CustomField[]): (index: number, step: 1 | -1) => void {
  const queryClient = useQueryClient();
  const { queryKey } = customFieldsOptions;
  const [save] = useState(() =>
    createLatestSaver(api.customFields.reorder, (error) => {
      notify.error(fieldErrorMessage(error));
      void queryClient.invalidateQueries({ queryKey });
    }),
  );
  return (index, step) => {
    const moved = fields[index];
    if (!moved || !fields[index + step]) return;
    const items = fields.toSpliced(index, 1).toSpliced(index + step, 0, moved);
    queryClient.setQueryData(queryKey, { items, nextCursor: null });
    save({ fieldIds: items.map(({ id }) => id) });
    // The row moved in the page and took the focus away; at the end of the list only the other button can have it.
    const isAtEnd = index + step === (step === 1 ? fields.length - 1 : 0);
    requestAnimationFrame(() => {
      const next = isAtEnd ? (step === 1 ? -1 : 1) : step;
      document.querySelector<HTMLElement>(`#${moverId(moved.id, next)}`)?.focus();
    });
  };
}

function moverId(fieldId: string, step: 1 | -1): string {
  return `move-${step === 1 ? 'down' : 'up'}-${fieldId}`;
}

type Kept = Usage & { label: string };

/** Says first what will be lost. A field that something asks for stays, and `kept` says what asks. */
function useDelete() {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const remove = useAction(orpc.customFields.remove.mutationOptions());
  const [kept, setKept] = useState<Kept>();

  async function askToDelete(field: CustomField): Promise<void> {
    setKept(undefined);
    try {
      const usage = await api.customFields.getUsage({ fieldId: field.id });
      if (usage.segments.length + usage.campaigns.length > 0)
        return setKept({ ...usage, label: field.label });
      await confirm({
        title: t('contacts.fields.deleteQuestion', { label: field.label }),
        text: t('contacts.fields.deleteText', { n: usage.contacts, key: field.key }),
        confirmLabel: t('common.delete'),
        work: () => deleteNow(field),
      });
    } catch (error) {
      notify.error(fieldErrorMessage(error));
    }
  }

  async function deleteNow(field: CustomField): Promise<void> {
    try {
      await remove.mutateAsync({ fieldId: field.id });
      notify.success(t('contacts.fields.deleted', { label: field.label }));
    } catch (error) {
      // Something began to ask for it while the question stood.
      if (readFailure(error).code === 'custom_field_in_use') void askToDelete(field);
      else notify.error(fieldErrorMessage(error));
    }
    await refreshContacts(queryClient);
  }

  return { askToDelete, kept };
}

function usersText({ label, segments, campaigns }: Kept): string {
  const names = [
    ...segments.map((name) => t('contacts.fields.usedBySegment', { name })),
    ...campaigns.map((name) => t('contacts.fields.usedByCampaign', { name })),
  ];
  return t('contacts.fields.inUse', { label, names: names.join(', ') });
}
