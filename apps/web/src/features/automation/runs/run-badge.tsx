import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { optionName } from '../flow-words.ts';
import type { WorkflowRun } from '../workflows-queries.ts';

type Status = WorkflowRun['status'];
const tones: Partial<Record<Status, BadgeTone>> = { running: 'info', completed: 'success', failed: 'danger' };

export function RunBadge({ status }: { status: Status }) {
  return <Badge tone={tones[status] ?? 'neutral'}>{optionName(`run_${status}`)}</Badge>;
}
