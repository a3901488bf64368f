import { SelectionMode } from '@xyflow/react';
import { EndNode, StartNode, StepNode } from './canvas-item.tsx';
import { WayEdge } from './canvas-way.tsx';

/** How React Flow draws and behaves here: keys are those of `canvas-keys.ts`, and items are buttons of our own. */
export const canvasManner = {
  nodeTypes: { start: StartNode, step: StepNode, end: EndNode },
  edgeTypes: { way: WayEdge },
  nodesFocusable: false,
  edgesFocusable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  selectionKeyCode: 'Shift',
  multiSelectionKeyCode: ['Shift', 'Control', 'Meta'],
  selectionMode: SelectionMode.Partial,
  nodeDragThreshold: 4,
  minZoom: 0.2,
  maxZoom: 1.5,
  proOptions: { hideAttribution: true },
};
