import { FlaskConical, UserPlus } from 'lucide-react';
import { Suspense } from 'react';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { readOneOf, readText, useUrlState } from '../../../shared/url-state.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx';
import type { Draft } from '../editor/use-draft.ts';
import type { WorkflowDetails } from '../workflows-queries.ts';

const EnrolDialog = lazyDialog(async () => (await import('./enrol-dialog.tsx')).EnrolDialog);
const TestDialog = lazyDialog(
  async () => (await import('./test-dialog.tsx')).TestDialog,
  ({ onClose }) => onClose(),
);

const readDialog = (search: Record<string, unknown>) => ({
  dialog: readOneOf(search, 'dialog', ['', 'enrol', 'test']),
  tab: readText(search, 'tab'),
  run: readText(search, 'run'),
});

/** Begins runs by hand: of contacts through the published version, or of one contact through the draft. */
export function RunActions({ workflow, draft }: { workflow: WorkflowDetails; draft: Draft }) {
  const [{ dialog }, setUrl] = useUrlState(readDialog);
  if (!can('campaigns:update') || !can('contacts:read') || !can('messages:create')) return null;
  const close = () => setUrl({ dialog: undefined });
  const isActive = workflow.status === 'active';
  /** A test takes the draft as it is saved, and one without problems. */
  async function openTest() {
    if (await draft.check()) setUrl({ dialog: 'test' }, { push: true });
  }
  return (
    <>
      {isActive ? (
        <Button
          iconOnSmall
          icon={<UserPlus aria-hidden />}
          onClick={() => setUrl({ dialog: 'enrol' }, { push: true })}
        >
          {t('workflowRuns.enrol.title')}
        </Button>
      ) : null}
      <Button
        iconOnSmall
        icon={<FlaskConical aria-hidden />}
        disabled={draft.conflict !== null}
        onClick={() => void openTest()}
      >
        {t('workflowRuns.test.open')}
      </Button>
      <Suspense>
        {dialog === 'enrol' && isActive ? <EnrolDialog workflow={workflow} onClose={close} /> : null}
        {dialog === 'test' ? (
          <TestDialog
            workflow={workflow}
            onBegun={(run) => setUrl({ dialog: undefined, tab: 'runs', run })}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </>
  );
}
