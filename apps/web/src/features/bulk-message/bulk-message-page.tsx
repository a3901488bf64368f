import { ArrowLeft, ArrowRight, RotateCcw } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { formatDateTime } from '../../shared/formats.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { ChosenCount } from '../../shared/sending/audience-parts.tsx';
import { isSelectionEmpty } from '../../shared/sending/audience-selection.ts';
import { isMessageEmpty } from '../../shared/sending/message-draft.ts';
import { useSession } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { PageFrame } from '../../ui/page-frame.tsx';
import { Banner, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { notify } from '../../ui/toast.tsx';
import {
  emptyDraft,
  isDraftEmpty,
  loadDraft,
  onSentElsewhere,
  storeDraft,
  storeSent,
  type BulkMessageDraft,
} from './bulk-message-draft.ts';
import { ContactsStep } from './contacts-step.tsx';
import { StepFooter } from './step-footer.tsx';
import type { SentBulkMessage } from './use-send-bulk-message.ts';

const MessageStep = lazyPart(async () => (await import('./message-step.tsx')).MessageStep);
const ReviewStep = lazyPart(async () => (await import('./review-step.tsx')).ReviewStep);

export function BulkMessagePage() {
  const session = useSession();
  if (session.status !== 'signed-in') return null;
  return <Wizard key={session.user.id} userId={session.user.id} />;
}

function Wizard({ userId }: { userId: string }) {
  const [draft, setDraft] = useState(() => loadDraft(userId));
  const [wasRestored, setWasRestored] = useState(() => !isDraftEmpty(draft));
  const [problem, setProblem] = useState<string>();
  const [lastSent, setLastSent] = useState<SentBulkMessage>();
  const [isSentElsewhere, setSentElsewhere] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const confirm = useConfirm();
  const steps = [t('bulkMessage.step.contacts'), t('bulkMessage.step.message'), t('bulkMessage.step.review')];
  const hints = [t('bulkMessage.contactsHint'), t('bulkMessage.messageHint'), t('bulkMessage.reviewHint')];

  useEffect(() => storeDraft(userId, draft), [userId, draft]);
  useEffect(
    () =>
      onSentElsewhere(userId, ({ key, sent }) => {
        if (key !== draft.key) return;
        setDraft(emptyDraft());
        setProblem(undefined);
        setWasRestored(false);
        setLastSent(sent);
        setSentElsewhere(true);
      }),
    [userId, draft.key],
  );

  function change(patch: Partial<BulkMessageDraft>) {
    setDraft((before) => ({ ...before, ...patch }));
    setProblem(undefined);
    setWasRestored(false);
  }

  function goTo(step: BulkMessageDraft['step']) {
    change({ step });
    // The next step begins at its heading, for people who see it and people who hear it.
    requestAnimationFrame(() => {
      heading.current?.focus({ preventScroll: true });
      document.querySelector('#content')?.scrollTo({ top: 0 });
    });
  }

  function goOn() {
    if (draft.step === 0 && isSelectionEmpty(draft.selection)) {
      return setProblem(t('bulkMessage.noContactsChosen'));
    }
    if (draft.step === 1 && isMessageEmpty(draft.message)) {
      return setProblem(t('bulkMessage.noMessageChosen'));
    }
    goTo(draft.step === 0 ? 1 : 2);
  }

  async function startOver() {
    if (
      !(await confirm({
        title: t('bulkMessage.startOverQuestion'),
        confirmLabel: t('bulkMessage.startOver'),
      }))
    )
      return;
    change(emptyDraft());
  }

  function finish(sent: SentBulkMessage) {
    storeSent(userId, { key: draft.key, sent });
    change(emptyDraft());
    setLastSent(sent);
    setSentElsewhere(false);
    const isLater = sent.scheduledAt !== null || sent.quietUntil !== null;
    const words = isLater ? 'bulkMessage.scheduled' : 'bulkMessage.sent';
    notify.success(t(words, { n: sent.recipients }));
    document.querySelector('#content')?.scrollTo({ top: 0 });
  }

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
          steps={steps}
          current={draft.step}
          onStep={(index) => goTo(index === 0 ? 0 : index === 1 ? 1 : 2)}
        />
      }
    >
      <div className="flex flex-col gap-4">
        {isSentElsewhere ? <Banner>{t('bulkMessage.sentElsewhere')}</Banner> : null}
        {lastSent ? <LastSent sent={lastSent} /> : null}
        {wasRestored ? <Banner>{t('bulkMessage.draftRestored')}</Banner> : null}
        <div>
          <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
            {steps[draft.step]}
          </h2>
          <p className="text-muted">{hints[draft.step]}</p>
        </div>
        {draft.step === 0 ? (
          <ContactsStep selection={draft.selection} onChange={(selection) => change({ selection })} />
        ) : (
          <Suspense fallback={<StepSkeleton />}>
            {draft.step === 1 ? (
              <MessageStep message={draft.message} onChange={(message) => change({ message })} />
            ) : (
              <ReviewStep
                draft={draft}
                onChange={change}
                onGoTo={goTo}
                onSent={finish}
                back={<BackButton onBack={() => goTo(1)} />}
              />
            )}
          </Suspense>
        )}
        {draft.step === 2 ? null : (
          <StepFooter
            problem={problem}
            status={
              <>
                {draft.step === 0 ? <ChosenCount selection={draft.selection} /> : null}
                <p className="ml-auto hidden text-sm text-muted lg:block">
                  {isDraftEmpty(draft) ? null : t('bulkMessage.draftKept')}
                </p>
              </>
            }
          >
            <BackButton onBack={draft.step === 0 ? undefined : () => goTo(0)} />
            <Button variant="primary" onClick={goOn}>
              {t('bulkMessage.next')}
              <ArrowRight aria-hidden />
            </Button>
          </StepFooter>
        )}
      </div>
    </PageFrame>
  );
}

function BackButton({ onBack }: { onBack: (() => void) | undefined }) {
  return (
    <Button icon={<ArrowLeft aria-hidden />} disabled={!onBack} onClick={onBack}>
      {t('bulkMessage.back')}
    </Button>
  );
}

function LastSent({ sent }: { sent: SentBulkMessage }) {
  const { recipients, scheduledAt, quietUntil, campaignId } = sent;
  const leavesAt = quietUntil ?? scheduledAt;
  return (
    <Banner
      tone="success"
      action={
        <ButtonLink to={paths.campaign(campaignId)} size="small">
          {t('bulkMessage.viewCampaign')}
        </ButtonLink>
      }
    >
      {leavesAt === null
        ? t('bulkMessage.lastSent', { n: recipients })
        : t('bulkMessage.lastScheduled', { n: recipients, time: formatDateTime(leavesAt) })}
    </Banner>
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
