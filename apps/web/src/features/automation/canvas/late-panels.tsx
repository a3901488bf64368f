import { useEffect } from 'react';
import { lazyPart } from '../../../ui/load-file.ts';

/** What stands beside the canvas comes with a press: the fields of all steps are heavier than the canvas. */
export const loadPanels = () => import('./canvas-panel.tsx');

export const AddPanel = lazyPart(async () => (await loadPanels()).AddPanel);
export const KeysPanel = lazyPart(async () => (await loadPanels()).KeysPanel);
export const StartPanel = lazyPart(async () => (await loadPanels()).StartPanel);
export const StepPanel = lazyPart(async () => (await loadPanels()).StepPanel);

/** Stands beside a panel and calls back when it is there. Give it a key for each panel. */
export function WhenShown({ act }: { act: () => void }) {
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, with its panel
  useEffect(act, []);
  return null;
}
