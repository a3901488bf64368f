import { useQuery } from '@tanstack/react-query';
import { List, Workflow } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyDetail, lazyPart } from '../../../ui/load-file.ts';
import { Skeleton, SkeletonRegion } from '../../../ui/states.tsx';
import { useMediaQuery } from '../../../ui/use-media-query.ts';
import type { FlowCanvasProps } from '../canvas/flow-canvas.tsx';

const FlowEditor = lazyDetail(async () => (await import('./flow-editor.tsx')).FlowEditor);
const FlowCanvas = lazyPart(async () => (await import('../canvas/flow-canvas.tsx')).FlowCanvas);

const flowViews = ['list', 'canvas'] as const;
type FlowView = (typeof flowViews)[number];
const icons: Record<FlowView, ReactNode> = { list: <List aria-hidden />, canvas: <Workflow aria-hidden /> };
const STORED_AS = 'flow-view';

/** How flows are shown in this browser. A narrow screen always shows the list. */
export function useFlowView(): { view: FlowView; choose: ((view: FlowView) => void) | null } {
  const [chosen, setChosen] = useState<FlowView>(() =>
    localStorage.getItem(STORED_AS) === 'canvas' ? 'canvas' : 'list',
  );
  const isWide = useMediaQuery('(min-width: 900px)');
  if (!isWide) return { view: 'list', choose: null };
  return {
    view: chosen,
    choose: (view) => {
      localStorage.setItem(STORED_AS, view);
      setChosen(view);
    },
  };
}

/** The switch between the two; nothing where there is no choice. */
export function FlowViewSwitch({ view, choose }: ReturnType<typeof useFlowView>) {
  if (!choose) return null;
  return (
    <div role="group" aria-label={t('canvas.view')} className="flex gap-0.5 rounded-card bg-sunken p-0.5">
      {flowViews.map((value) => (
        <Button
          key={value}
          size="small"
          variant={value === view ? 'secondary' : 'ghost'}
          aria-pressed={value === view}
          icon={icons[value]}
          onClick={() => choose(value)}
        >
          {t(`canvas.view.${value}`)}
        </Button>
      ))}
    </div>
  );
}

/** Figures of the steps of a workflow, asked for by one press. */
export function useStepFigures(workflowId: string): Pick<FlowCanvasProps, 'figures' | 'onToggleFigures'> {
  const [isShown, setShown] = useState(false);
  const { data } = useQuery(
    orpc.workflowRuns.countSteps.queryOptions({ input: { workflowId }, enabled: isShown }),
  );
  return {
    figures: isShown && data ? new Map(data.items.map((item) => [item.stepId, item])) : null,
    onToggleFigures: () => setShown(!isShown),
  };
}

/** A flow as a list or as a drawing; both change the same draft. */
export function FlowParts({ view, ...props }: FlowCanvasProps & { view: FlowView }) {
  return (
    <Suspense
      fallback={
        <SkeletonRegion>
          <Skeleton className="h-[28rem]" />
        </SkeletonRegion>
      }
    >
      {view === 'list' ? <FlowEditor {...props} /> : <FlowCanvas {...props} />}
    </Suspense>
  );
}
