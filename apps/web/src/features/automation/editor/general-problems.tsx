import { Banner } from '../../../ui/states.tsx';
import type { FlowProblems } from './editor-parts.ts';
import { ProblemList } from './problem-list.tsx';

/** What is wrong with the flow as a whole. */
export function GeneralProblems({ problems }: { problems: FlowProblems }) {
  const general = problems.filter(({ place }) => place === 'flow' || place === 'goal');
  if (general.length === 0) return null;
  return (
    <div data-problem>
      <Banner tone="warning">
        <ProblemList problems={general} />
      </Banner>
    </div>
  );
}
