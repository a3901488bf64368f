import type { ConnectionKind } from '@app/domain/templates/platform-status';
import { useQueryClient } from '@tanstack/react-query';
import { Copy, CopyPlus, Eye, Languages, Pencil, Send, Trash2 } from 'lucide-react';
import { sayOutcome } from '../../shared/actions/say-outcome.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import type { MenuAction } from '../../ui/overlays/menu.tsx';
import { notify } from '../../ui/toast.ts';
import { languageLabel, templateErrorMessage } from './template-words.ts';
import { isSubmittable, refreshTemplates, type Template, type TemplatesSearch } from './templates-queries.ts';

type OpenDialog = (patch: { dialog: TemplatesSearch['dialog']; template: string }) => void;

/** What stands below a card and what is in its menu. */
export type TemplateActions = { buttons: MenuAction[]; menu: MenuAction[] };

/** What can be done with a template, by the person who looks at it. */
export function useTemplateActions(
  connection: ConnectionKind,
  open: OpenDialog,
): (template: Template, isOneOfSeveral: boolean) => TemplateActions {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const remove = useAction(orpc.templates.remove.mutationOptions());
  const submit = useAction(orpc.templates.submit.mutationOptions());

  const act = (work: () => Promise<unknown>, done: string) =>
    sayOutcome(
      async () => {
        await work();
        return done;
      },
      { errorMessage: templateErrorMessage, refresh: () => refreshTemplates(queryClient) },
    );

  function askToDelete({ id, name, language, platform }: Template, isOneOfSeveral: boolean) {
    const named = isOneOfSeveral ? `${name} (${languageLabel(language)})` : name;
    return confirm({
      title: t('templates.deleteQuestion'),
      text: platform === null ? named : t('templates.deleteText', { name: named }),
      confirmLabel: t('common.delete'),
      work: () => act(() => remove.mutateAsync({ templateId: id }), t('templates.deleted')),
    });
  }

  return (template, isOneOfSeveral) => {
    const { id, name, version } = template;
    const opens = (dialog: TemplatesSearch['dialog']) => () => open({ dialog, template: id });
    const preview = { label: t('templates.preview', { name }), icon: <Eye aria-hidden /> };
    const copy = { label: t('templates.copy', { name }), icon: <Copy aria-hidden /> };
    const edit = { label: t('templates.edit', { name }), icon: <Pencil aria-hidden /> };
    const erase = { label: t('templates.delete', { name }), icon: <Trash2 aria-hidden />, danger: true };
    const duplicate = { label: t('templates.duplicate'), icon: <CopyPlus /> };
    const translate = { label: t('templates.translate'), icon: <Languages /> };
    const handIn: MenuAction = {
      label: t('templates.submit'),
      icon: <Send />,
      onSelect: () =>
        void act(() => submit.mutateAsync({ templateId: id, version }), t('templates.submitted')),
    };
    return {
      buttons: [
        { ...preview, onSelect: opens('preview') },
        { ...copy, onSelect: () => void copyContent(template) },
        ...(can('templates:update') ? [{ ...edit, onSelect: opens('edit') }] : []),
        ...(can('templates:delete')
          ? [{ ...erase, onSelect: () => void askToDelete(template, isOneOfSeveral) }]
          : []),
      ],
      menu: [
        ...(can('templates:update') && isSubmittable(template, connection) ? [handIn] : []),
        ...(can('templates:create')
          ? [
              { ...duplicate, onSelect: opens('duplicate') },
              { ...translate, onSelect: opens('translate') },
            ]
          : []),
      ],
    };
  };
}

async function copyContent({ content }: Template): Promise<void> {
  try {
    await navigator.clipboard.writeText(content);
    notify.success(t('templates.copied'), { duration: 2000 });
  } catch {
    // Some browsers refuse without https: the text can then be copied from here by hand.
    notify.info(content, { duration: 15_000 });
  }
}
