import { useQueryClient } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useAct } from '../../shared/acts/use-act.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import type { TemplateAct } from './template-card.tsx';
import { templateFailureText } from './template-words.ts';
import { refreshTemplates, type Template, type TemplatesSearch } from './templates-queries.ts';

type OpenDialog = (patch: { dialog: TemplatesSearch['dialog']; template: string }) => void;

/** What the buttons of a card do. */
export function useTemplateActs(open: OpenDialog): (act: TemplateAct, template: Template) => void {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const remove = useAct(orpc.templates.remove.mutationOptions());
  const submit = useAct(orpc.templates.submit.mutationOptions());

  async function askToDelete({ id, name, platform }: Template) {
    await confirm({
      title: t('templates.deleteQuestion'),
      text: platform === null ? name : t('templates.deleteText', { name }),
      confirmLabel: t('common.delete'),
      work: async () => {
        try {
          await remove.mutateAsync({ templateId: id });
          notify.success(t('templates.deleted'));
        } catch (error) {
          notify.error(templateFailureText(error));
        }
        await refreshTemplates(queryClient);
      },
    });
  }

  async function submitForApproval({ id, version }: Template) {
    try {
      await submit.mutateAsync({ templateId: id, version });
      notify.success(t('templates.submitted'));
    } catch (error) {
      notify.error(templateFailureText(error));
    }
    await refreshTemplates(queryClient);
  }

  return (act, template) => {
    if (act === 'copy') void copyContent(template);
    else if (act === 'delete') void askToDelete(template);
    else if (act === 'submit') void submitForApproval(template);
    else open({ dialog: act, template: template.id });
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
