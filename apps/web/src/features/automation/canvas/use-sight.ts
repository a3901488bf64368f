import { useReactFlow } from '@xyflow/react';
import { useEffectEvent, type RefObject } from 'react';
import { canvasSizes, type Canvas } from './canvas-layout.ts';

/** What of the canvas is seen: all of it where it can still be read, else its beginning, and always the item with the focus. */
export function useSight(area: RefObject<HTMLElement | null>, canvas: Canvas, isStill: boolean) {
  const viewport = useReactFlow();
  const duration = isStill ? 0 : 160;

  function bringIntoSight(id: string) {
    const item = canvas.items.find((one) => one.id === id);
    const box = area.current?.getBoundingClientRect();
    if (!item || !box || box.width === 0) return;
    const { x, y, zoom } = viewport.getViewport();
    const left = item.x * zoom + x;
    const top = item.y * zoom + y;
    const isInSight =
      left > 0 &&
      top > 0 &&
      left + canvasSizes.width * zoom < box.width &&
      top + canvasSizes.height * zoom < box.height;
    if (isInSight) return;
    void viewport.setCenter(item.x + canvasSizes.width / 2, item.y + canvasSizes.height / 2, {
      ...{ zoom, duration },
    });
  }

  const startInSight = useEffectEvent(() => {
    const box = area.current?.getBoundingClientRect();
    if (!box) return;
    const height = Math.max(...canvas.items.map(({ y }) => y)) + canvasSizes.height;
    const width = (Math.max(...canvas.items.map(({ x }) => Math.abs(x))) + canvasSizes.width) * 2;
    const zoom = Math.min(1, box.height / (height + 80), box.width / width);
    if (zoom >= 0.75) void viewport.fitView({ maxZoom: 1, padding: 0.08 });
    else void viewport.setViewport({ x: box.width / 2 - canvasSizes.width * 0.42, y: 48, zoom: 0.85 });
  });

  return {
    bringIntoSight,
    startInSight,
    showAll: () => void viewport.fitView({ maxZoom: 1, duration }),
  };
}
