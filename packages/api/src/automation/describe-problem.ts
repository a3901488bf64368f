import type { FlowProblem } from '@app/domain/flows/check-flow';

/** `steps.welcome.template` and the code of the problem. */
export function describeProblem({ place, id, field, code }: FlowProblem): { field: string; message: string } {
  const where = place === 'step' ? ['steps', id] : place === 'trigger' ? ['triggers', id] : [place];
  return { field: [...where, field].filter((part) => part !== null).join('.'), message: code };
}
