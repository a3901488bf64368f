import { useEffect, useState } from 'react';
import { useUrlState } from '../../shared/url-state.ts';
import { furthestStep, stepNames, type BulkMessageDraft, type StepName } from './bulk-message-draft.ts';

/**
 * The open step is in the address, so that Back, Forward and reload keep it. The address never names a step that the draft has
 * not come to: a draft that was sent or emptied is at the first one. An address without a step opens the one that was left.
 */
export function useWizardStep(draft: BulkMessageDraft, left: StepName): [StepName, (step: StepName) => void] {
  const [url, setUrl] = useUrlState(readStep);
  const [resumed, setResumed] = useState(() => nameOf(earlier(left, furthestStep(draft))));
  if (resumed !== undefined && url.step !== undefined) setResumed(undefined);
  const step = earlier(url.step ?? resumed ?? stepNames[0], furthestStep(draft));
  const name = nameOf(step);

  useEffect(() => {
    if (url.step !== name) setUrl({ step: name });
  }, [url.step, name, setUrl]);

  return [step, (next) => setUrl({ step: nameOf(next) }, { push: true })];
}

function readStep({ step }: Record<string, unknown>): { step: StepName | undefined } {
  return { step: stepNames.find((name) => name === step) };
}

/** The first step needs no name. */
function nameOf(step: StepName): StepName | undefined {
  return step === stepNames[0] ? undefined : step;
}

function earlier(one: StepName, other: StepName): StepName {
  return stepNames.indexOf(one) < stepNames.indexOf(other) ? one : other;
}
