import { isUuid } from '@app/domain/uuid';

/** The id of what an act made, as its answer names it. */
export function readMade(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const made = 'campaignId' in answer ? answer.campaignId : 'id' in answer ? answer.id : null;
  return typeof made === 'string' ? made : null;
}

/**
 * The ids and numbers of the records in an answer, by which it is found when one of them is gone. A bare list of ids, such as
 * an audience, tells of nobody.
 */
export function readMarks(answer: unknown): string[] {
  const marks = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const isList = Array.isArray(value);
    for (const part of Object.values(value)) {
      if (typeof part !== 'string') visit(part);
      else if (!isList && isMark(part)) marks.add(part);
    }
  };
  visit(answer);
  return [...marks];
}

function isMark(text: string): boolean {
  return isUuid(text) || /^\+\d{5,15}$/.test(text);
}
