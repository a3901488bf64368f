import { useId, useState, type ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { Stepper } from '../../../ui/stepper.tsx';

const formSteps = ['message', 'contacts', 'schedule', 'check'] as const;
type FormStep = (typeof formSteps)[number];
type FormSteps = { form: string; current: FormStep; enter: (step: FormStep) => void };

/** Which step of a form the user is in; null for a form without steps. */
export function useFormSteps(hasSteps: boolean): FormSteps | null {
  const form = useId();
  const [current, enter] = useState<FormStep>('message');
  return hasSteps ? { form, current, enter } : null;
}

/** The steps above the form: which one has the focus, which are complete, and the way to each. */
export function FormStepList({
  steps: { form, current, enter },
  done,
}: {
  steps: FormSteps;
  done: Readonly<Record<FormStep, boolean>>;
}) {
  return (
    <div className="sticky -top-2 layer-sticky -mt-2 bg-raised pt-2 pb-2 lg:col-span-2">
      <Stepper
        label={t('campaigns.form.steps')}
        steps={formSteps.map((step) => t(`campaigns.form.step.${step}`))}
        current={formSteps.indexOf(current)}
        done={formSteps.map((step) => done[step])}
        onStep={(index) => {
          const step = formSteps[index] ?? current;
          enter(step);
          const heading = document.getElementById(headingOf(form, step));
          heading?.scrollIntoView({ block: 'start' });
          heading?.focus({ preventScroll: true });
        }}
      />
    </div>
  );
}

/** One step with its heading. All steps stay in sight, so going back loses nothing; the current one is the one with the focus. */
export function FormStepSection({
  steps,
  step,
  children,
}: {
  steps: FormSteps | null;
  step: FormStep;
  children: ReactNode;
}) {
  if (!steps) return children;
  const id = headingOf(steps.form, step);
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5"
      onFocusCapture={() => steps.enter(step)}
    >
      <h3 id={id} tabIndex={-1} className="scroll-mt-16 text-lg font-semibold outline-none">
        {t(`campaigns.form.step.${step}`)}
      </h3>
      {children}
    </section>
  );
}

const headingOf = (form: string, step: FormStep): string => `${form}-${step}`;
