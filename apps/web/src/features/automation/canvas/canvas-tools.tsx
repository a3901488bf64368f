import { useReactFlow } from '@xyflow/react';
import { ChartNoAxesColumn, Keyboard, LayoutDashboard, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { t } from '../../../shared/messages.ts';
import { IconButton } from '../../../ui/button.tsx';

/** Buttons at the lower edge of the canvas. */
export function CanvasTools({
  hasLayout,
  onTidy,
  onKeys,
  hasFigures,
  onToggleFigures,
  isStill,
}: {
  /** Whether steps were moved by hand. */
  hasLayout: boolean;
  onTidy: () => void;
  onKeys: () => void;
  hasFigures: boolean;
  onToggleFigures?: (() => void) | undefined;
  isStill: boolean;
}) {
  const viewport = useReactFlow();
  const motion = { duration: isStill ? 0 : 160 };
  const look = { size: 'small', variant: 'ghost' } as const;
  return (
    <div className="absolute bottom-3 left-3 flex gap-0.5 rounded-card border border-border bg-raised p-0.5">
      <IconButton {...look} label={t('canvas.zoomIn')} onClick={() => void viewport.zoomIn(motion)}>
        <ZoomIn aria-hidden />
      </IconButton>
      <IconButton {...look} label={t('canvas.zoomOut')} onClick={() => void viewport.zoomOut(motion)}>
        <ZoomOut aria-hidden />
      </IconButton>
      <IconButton
        {...look}
        label={t('canvas.fit')}
        onClick={() => void viewport.fitView({ maxZoom: 1, ...motion })}
      >
        <Maximize aria-hidden />
      </IconButton>
      {hasLayout ? (
        <IconButton {...look} label={t('canvas.tidy')} onClick={onTidy}>
          <LayoutDashboard aria-hidden />
        </IconButton>
      ) : null}
      {onToggleFigures ? (
        <IconButton {...look} label={t('canvas.figures')} aria-pressed={hasFigures} onClick={onToggleFigures}>
          <ChartNoAxesColumn aria-hidden />
        </IconButton>
      ) : null}
      <IconButton {...look} label={t('canvas.keys')} onClick={onKeys}>
        <Keyboard aria-hidden />
      </IconButton>
    </div>
  );
}
