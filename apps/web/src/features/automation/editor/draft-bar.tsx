import { History, Redo2, Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConflictBanner } from '../../../ui/conflict-banner.tsx';
import { Banner } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import { workflowErrorMessage, type WorkflowDetails } from '../workflows-queries.ts';
import type { Draft } from './use-draft.ts';

/** Undo, redo, the way back to what is published, and whether all is saved. */
export function DraftBar({ draft, workflow }: { draft: Draft; workflow: WorkflowDetails }) {
  const { id: workflowId, publishedVersion: number, hasChanges } = workflow;
  const reverting = useAction({
    mutationFn: (of: number) => api.workflows.getVersion({ workflowId, number: of }),
    onSuccess: ({ flow }) => {
      draft.change(flow);
      notify.success(t('automation.done.revert'));
    },
    onError: (error) => notify.error(workflowErrorMessage(error)),
  });
  useEffect(() => {
    function undoByKey(event: KeyboardEvent) {
      const isWriting =
        event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]');
      if (isWriting || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      event.stopPropagation();
      if (event.shiftKey) draft.redo();
      else draft.undo();
    }
    document.addEventListener('keydown', undoByKey, true);
    return () => document.removeEventListener('keydown', undoByKey, true);
  }, [draft]);
  return (
    <div className="ml-auto flex items-center gap-1">
      <span role="status" className="mr-2 text-sm text-muted">
        {t(`automation.draft.${draft.state}`)}
      </span>
      <IconButton
        size="small"
        variant="ghost"
        label={t('automation.undo')}
        disabled={!draft.mayUndo}
        onClick={draft.undo}
      >
        <Undo2 aria-hidden />
      </IconButton>
      <IconButton
        size="small"
        variant="ghost"
        label={t('automation.redo')}
        disabled={!draft.mayRedo}
        onClick={draft.redo}
      >
        <Redo2 aria-hidden />
      </IconButton>
      {number !== null && (hasChanges || draft.state === 'edited') ? (
        <IconButton
          size="small"
          variant="ghost"
          label={t('automation.revert')}
          disabled={reverting.isPending || draft.conflict !== null}
          onClick={() => reverting.mutate(number)}
        >
          <History aria-hidden />
        </IconButton>
      ) : null}
    </div>
  );
}

/** Why the draft is not saved or published, with the ways on. */
export function DraftBanner({
  draft,
  onShow,
}: {
  draft: Draft;
  /** Goes to the next place that is missing or wrong. */
  onShow: () => void;
}) {
  const n = draft.problems.length;
  const isBot = draft.flow.kind === 'bot';
  if (draft.conflict === 'changed')
    return (
      <ConflictBanner
        ways={[
          { label: t('automation.takeTheirs'), onSelect: () => void draft.takeTheirs() },
          { label: t('automation.keepMine'), onSelect: () => void draft.keepMine() },
        ]}
      >
        {t(isBot ? 'automation.bot.changed' : 'automation.error.changed')}
      </ConflictBanner>
    );
  if (draft.conflict === 'gone')
    return (
      <ConflictBanner isGone ways={[]}>
        {t(isBot ? 'automation.bot.gone' : 'automation.error.gone')}
      </ConflictBanner>
    );
  if (draft.error)
    return (
      <Banner
        tone="danger"
        action={
          draft.state === 'edited' ? (
            <Button size="small" onClick={draft.retry}>
              {t('automation.saveAgain')}
            </Button>
          ) : undefined
        }
      >
        {workflowErrorMessage(draft.error)}
      </Banner>
    );
  if (n > 0)
    return (
      <Banner
        tone="warning"
        action={
          <Button size="small" onClick={onShow}>
            {t('automation.showProblem')}
          </Button>
        }
      >
        {t(isBot ? 'automation.bot.problems' : 'automation.problems', { n })}
      </Banner>
    );
  return null;
}
