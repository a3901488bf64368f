import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight, RotateCcw } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { clearHanded, handedPeople } from '../../shared/contacts/handed-people.ts';
import { t } from '../../shared/messages.ts';
import { ChosenCount } from '../sending/audience/audience-parts.tsx';
import { audienceFromChoice } from '../sending/audience/audience-from-choice.ts';
import { isSelectionEmpty, type AudienceSelection } from '../sending/audience/audience-selection.ts';
import { notifyOfStart } from '../sending/held-start.tsx';
import { isMessageEmpty } from '../sending/message/message-draft.ts';
import { ownerHere, useSession, usualQuietHours } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { PageFrame } from '../../ui/page-frame.tsx';
import { Banner, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import {
  emptyDraft,
  isDraftEmpty,
  loadDraft,
  onSentElsewhere,
  stepNames,
  storeDraft,
  storeSent,
  type BulkMessageDraft,
  type StepName,
} from './bulk-message-draft.ts';
import { ContactsStep } from './contacts-step.tsx';
import { LastSent, TakenBack } from './last-sent.tsx';
import { StepFooter } from './step-footer.tsx';
import type { SentBulkMessage } from './use-send-bulk-message.ts';
import { useTakenBack } from './use-taken-back.ts';
import { useWizardStep } from './use-wizard-step.ts';

const MessageStep = lazyPart(async () => (await import('./message-step.tsx')).MessageStep);
const ReviewStep = lazyPart(async () => (await import('./review-step.tsx')).ReviewStep);

export function BulkMessagePage() {
  const session = useSession();
  if (session.status !== 'signed-in') return null;
  const owner = ownerHere();
  return <Wizard key={owner} owner={owner} />;
}

function Wizard({ owner }: { owner: string }) {
  const [left] = useState(() => takeHanded(loadDraft(owner, usualQuietHours())));
  const [draft, setDraft] = useState(left.draft);
  const [replaced, setReplaced] = useState(left.replaced);
  useEffect(clearHanded, []);
  const [step, goTo] = useWizardStep(draft, left.step);
  const [wasRestored, setWasRestored] = useState(() => !left.isHanded && !isDraftEmpty(draft));
  const [problem, setProblem] = useState<{ step: StepName; text: string }>();
  const [lastSent, setLastSent] = useState<SentBulkMessage>();
  const [takenBack, setTakenBack] = useState<SentBulkMessage>();
  const isTakenBackElsewhere = useTakenBack(lastSent);
  const queryClient = useQueryClient();
  const [isSentElsewhere, setSentElsewhere] = useState(false);
  const [isKept, setKept] = useState(true);
  const heading = useStepHeading(step);
  const confirm = useConfirm();
  const current = stepNames.indexOf(step);

  useEffect(() => setKept(storeDraft(owner, draft, step)), [owner, draft, step]);
  // What is kept waits for its writer; the rest would be lost.
  useUnsavedWarning(!isKept);
  useEffect(
    () =>
      onSentElsewhere(owner, ({ key, sent }) => {
        if (key !== draft.key) return;
        setDraft(emptyDraft(usualQuietHours()));
        setProblem(undefined);
        setWasRestored(false);
        setLastSent(sent);
        setSentElsewhere(true);
      }),
    [owner, draft.key],
  );

  function change(patch: Partial<BulkMessageDraft>) {
    setDraft((before) => ({ ...before, ...patch }));
    setProblem(undefined);
    setWasRestored(false);
    if (patch.selection) setReplaced(undefined);
  }

  function goOn() {
    if (step === 'contacts' && isSelectionEmpty(draft.selection)) {
      return setProblem({ step, text: t('bulkMessage.noContactsChosen') });
    }
    if (step === 'message' && isMessageEmpty(draft.message)) {
      return setProblem({ step, text: t('bulkMessage.noMessageChosen') });
    }
    goTo(step === 'contacts' ? 'message' : 'review');
  }

  async function startOver() {
    if (
      !(await confirm({
        title: t('bulkMessage.startOverQuestion'),
        confirmLabel: t('bulkMessage.startOver'),
      }))
    )
      return;
    change(emptyDraft(usualQuietHours()));
  }

  function finish(sent: SentBulkMessage) {
    storeSent(owner, { key: draft.key, sent });
    change(emptyDraft(usualQuietHours()));
    setLastSent(sent);
    setSentElsewhere(false);
    const isLater = sent.scheduledAt !== null || sent.quietUntil !== null;
    const words = isLater ? 'bulkMessage.scheduled' : 'bulkMessage.sent';
    setTakenBack(undefined);
    notifyOfStart(queryClient, t(words, { n: sent.recipients }), sent, () => takeBack(sent));
  }

  function takeBack(sent: SentBulkMessage) {
    setLastSent(undefined);
    setSentElsewhere(false);
    setTakenBack(sent);
  }

  const footer = (
    <StepFooter
      problem={problem?.step === step ? problem.text : undefined}
      status={
        <>
          <ChosenCount selection={draft.selection} />
          <p className="ml-auto hidden text-sm text-muted lg:block">
            {isDraftEmpty(draft) || !isKept ? null : t('bulkMessage.draftKept')}
          </p>
        </>
      }
    >
      <BackButton onBack={step === 'contacts' ? undefined : () => goTo('contacts')} />
      <Button variant="primary" onClick={goOn}>
        {t('bulkMessage.next')}
        <ArrowRight aria-hidden />
      </Button>
    </StepFooter>
  );
  return (
    <PageFrame
      title={t('bulkMessage.title')}
      purpose={t('bulkMessage.purpose')}
      actions={
        isDraftEmpty(draft) ? undefined : (
          <Button variant="ghost" icon={<RotateCcw aria-hidden />} onClick={() => void startOver()}>
            {t('bulkMessage.startOver')}
          </Button>
        )
      }
      toolbar={
        <Stepper
          label={t('bulkMessage.steps')}
          steps={stepNames.map((name) => t(`bulkMessage.step.${name}`))}
          current={current}
          onStep={(index) => goTo(stepNames[index] ?? step)}
        />
      }
    >
      <div className="flex flex-col gap-4">
        {isSentElsewhere && !isTakenBackElsewhere ? <Banner>{t('bulkMessage.sentElsewhere')}</Banner> : null}
        {lastSent && !isTakenBackElsewhere ? (
          <LastSent sent={lastSent} onTakenBack={() => takeBack(lastSent)} />
        ) : null}
        {lastSent && isTakenBackElsewhere ? <TakenBack sent={lastSent} /> : null}
        {takenBack ? <TakenBack sent={takenBack} /> : null}
        {replaced ? (
          <Banner
            action={
              <Button size="small" onClick={() => change({ selection: replaced })}>
                {t('bulkMessage.handedBack')}
              </Button>
            }
          >
            {t('bulkMessage.handed')}
          </Banner>
        ) : null}
        {wasRestored ? <Banner>{t('bulkMessage.draftRestored')}</Banner> : null}
        <div>
          <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
            {t(`bulkMessage.step.${step}`)}
          </h2>
          <p className="text-muted">{t(`bulkMessage.${step}Hint`)}</p>
        </div>
        {step === 'contacts' ? (
          <>
            <ContactsStep selection={draft.selection} onChange={(selection) => change({ selection })} />
            {footer}
          </>
        ) : (
          // With its footer: a button that moves away under the finger is not pressed.
          <Suspense fallback={<StepSkeleton />}>
            {step === 'message' ? (
              <>
                <MessageStep draft={draft} onChange={(message) => change({ message })} />
                {footer}
              </>
            ) : (
              <ReviewStep
                draft={draft}
                onChange={change}
                onGoTo={goTo}
                onSent={finish}
                back={<BackButton onBack={() => goTo('message')} />}
              />
            )}
          </Suspense>
        )}
      </div>
    </PageFrame>
  );
}

type Left = { draft: BulkMessageDraft; step: StepName };

/** Who was chosen in the list of contacts stands in the draft; whom they replace can come back. */
function takeHanded({ draft, step }: Left): Left & { isHanded: boolean; replaced?: AudienceSelection } {
  const people = handedPeople();
  if (!people) return { draft, step, isHanded: false };
  const selection = audienceFromChoice(people, draft.selection);
  return {
    draft: { ...draft, selection },
    step: 'message',
    isHanded: true,
    ...(!isSelectionEmpty(draft.selection) && { replaced: draft.selection }),
  };
}

/** A step begins at its heading, for people who see it and people who hear it, whichever way they came. */
function useStepHeading(step: StepName) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus({ preventScroll: true });
    document.querySelector('#content')?.scrollTo({ top: 0 });
  }, [step]);
  return heading;
}

function BackButton({ onBack }: { onBack: (() => void) | undefined }) {
  return (
    <Button icon={<ArrowLeft aria-hidden />} disabled={!onBack} onClick={onBack}>
      {t('bulkMessage.back')}
    </Button>
  );
}

function StepSkeleton() {
  return (
    <SkeletonRegion className="grid grid-cols-1 gap-4 lg:grid-cols-[1fr_20rem]">
      <Skeleton className="h-72 w-full" />
      <Skeleton className="h-72 w-full" />
    </SkeletonRegion>
  );
}
