import { Banner } from '../../../ui/states.tsx';
import { problemText } from '../flow-words.ts';
import type { FlowProblems } from './editor-parts.ts';

/** What is wrong with the flow as a whole. */
export function GeneralProblems({ problems }: { problems: FlowProblems }) {
  const general = problems.filter(({ place }) => place === 'flow' || place === 'goal');
  if (general.length === 0) return null;
  return (
    <Banner tone="warning">
      <ul>
        {general.map((problem) => (
          <li key={`${problem.code} ${problem.value ?? ''}`}>{problemText(problem)}</li>
        ))}
      </ul>
    </Banner>
  );
}
