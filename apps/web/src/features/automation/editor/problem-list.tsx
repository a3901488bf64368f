import { problemText } from '../flow-words.ts';
import type { FlowProblems } from './editor-parts.ts';

/** Problems in words; nothing where there are none. */
export function ProblemList({ problems, className }: { problems: FlowProblems; className?: string }) {
  if (problems.length === 0) return null;
  return (
    <ul className={className}>
      {problems.map((problem) => (
        <li key={`${problem.code} ${problem.value ?? ''}`}>{problemText(problem)}</li>
      ))}
    </ul>
  );
}
