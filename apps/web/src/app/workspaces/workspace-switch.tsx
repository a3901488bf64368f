import { ChevronsUpDown } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useBusiness } from '../../shared/business-profile/use-business.ts';
import { loadMessages, t } from '../../shared/messages.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { lazyPart } from '../../ui/load-file.ts';

const WorkspaceMenu = lazyPart(async () => {
  await loadMessages('workspaces');
  return (await import('./workspace-menu.tsx')).WorkspaceMenu;
});
const CreateWorkspaceDialog = lazyDialog(async () => {
  await loadMessages('workspaces');
  return (await import('./create-workspace-dialog.tsx')).CreateWorkspaceDialog;
});

/** Which workspace this tab is in, and the way to the others. */
export function WorkspaceSwitch() {
  const name = useBusiness()?.name ?? '';
  const [layer, setLayer] = useState<'menu' | 'create'>();
  const trigger = useRef<HTMLButtonElement>(null);
  // From the first press on the menu holds the button and opens by it.
  const [isWanted, setWanted] = useState(false);
  function begin() {
    setWanted(true);
    setLayer('menu');
  }
  const button = (
    <button
      ref={trigger}
      type="button"
      aria-label={t('common.workspaceMenu', { name })}
      aria-haspopup="dialog"
      aria-expanded={layer === 'menu'}
      onClick={isWanted ? undefined : begin}
      className="mx-3 mb-2 flex h-9 shrink-0 items-center gap-2 rounded-card px-3 font-medium transition-colors hover:bg-hover"
    >
      <span dir="auto" className="min-w-0 flex-1 truncate text-left" title={name}>
        {name}
      </span>
      <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
    </button>
  );
  return (
    <>
      {isWanted ? (
        <Suspense fallback={button}>
          <WorkspaceMenu
            trigger={button}
            isOpen={layer === 'menu'}
            onPlaced={() => trigger.current?.focus()}
            onOpenChange={(isOpen) => setLayer(isOpen ? 'menu' : undefined)}
            onCreate={() => setLayer('create')}
          />
        </Suspense>
      ) : (
        button
      )}
      <Suspense>
        {layer === 'create' ? <CreateWorkspaceDialog onClose={() => setLayer(undefined)} /> : null}
      </Suspense>
    </>
  );
}
