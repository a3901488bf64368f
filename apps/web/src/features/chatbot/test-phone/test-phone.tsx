import {
  beginRehearsal,
  replyInRehearsal,
  settleInRehearsal,
  skipInRehearsal,
  type Rehearsal,
} from '@app/domain/chatbot/rehearsal';
import type { FlowFile } from '@app/domain/flows/flow-file';
import type { OfferedChoice } from '@app/domain/flows/answers/question';
import type { EffectOutcome, Known } from '@app/domain/flows/run-state';
import { RotateCcw, SendHorizontal, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { activeLocale, t } from '../../../shared/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Input } from '../../../ui/input.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { Banner } from '../../../ui/states.tsx';

import { optionName } from '../../automation/flow-words.ts';
import { useReferenceNames, type ReferenceNames } from '../../automation/editor/flow-summary.ts';
import { AskedOutcome } from './asked-outcome.tsx';
import { RehearsalState, stepTitles } from './rehearsal-state.tsx';

/** Talks to the draft as a customer would, without a number: the run is played here, and nothing is sent or stored. */
export function TestPhone({ flow, onClose }: { flow: FlowFile; onClose: () => void }) {
  const [rehearsal, setRehearsal] = useState<Rehearsal | null>(null);
  const [text, setText] = useState('');
  const [missed, setMissed] = useState<string | null>(null);
  const names = useReferenceNames(flow);
  const log = useRef<HTMLDivElement>(null);
  const isOld = rehearsal !== null && rehearsal.flow !== flow;
  const isOver = rehearsal !== null && rehearsal.state.end !== null;
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [rehearsal?.entries.length]);

  function say(said: string, button: string | null = null) {
    if (said.trim() === '') return;
    setText('');
    setMissed(null);
    if (rehearsal && !isOver) {
      setRehearsal(replyInRehearsal(rehearsal, said, button));
      return;
    }
    const begun = beginRehearsal(flow, sampleContact(), said, Date.now());
    setRehearsal(begun);
    if (!begun) setMissed(said);
  }

  function restart() {
    setRehearsal(null);
    setMissed(null);
  }

  const wait = rehearsal?.state.wait;
  return (
    <Panel
      title={t('botFlows.test.title')}
      purpose={t('botFlows.test.purpose')}
      actions={
        <>
          <IconButton size="small" variant="ghost" label={t('botFlows.test.restart')} onClick={restart}>
            <RotateCcw aria-hidden />
          </IconButton>
          <IconButton size="small" variant="ghost" label={t('common.close')} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </>
      }
    >
      <div className="grid gap-3">
        {isOld ? (
          <Banner
            tone="warning"
            action={
              <Button size="small" onClick={restart}>
                {t('botFlows.test.restart')}
              </Button>
            }
          >
            {t('botFlows.test.changed')}
          </Banner>
        ) : null}
        <div
          ref={log}
          role="log"
          aria-label={t('botFlows.test.dialogue')}
          tabIndex={0}
          className="max-h-96 min-h-40 overflow-y-auto rounded-card bg-sunken p-3 focus-visible:outline-2"
        >
          <ol className="flex flex-col gap-2">
            {rehearsal === null ? (
              <li className="m-auto text-center text-sm text-pretty text-muted">
                {missed === null ? t('botFlows.test.begin') : t('botFlows.test.missed', { text: missed })}
              </li>
            ) : (
              <Dialogue
                rehearsal={rehearsal}
                names={names}
                onTap={(choice) => say(choice.title, choice.id)}
              />
            )}
          </ol>
        </div>
        {rehearsal?.asked ? (
          <AskedOutcome
            effect={rehearsal.asked}
            flow={rehearsal.flow}
            onSettle={(outcome: EffectOutcome) => setRehearsal(settleInRehearsal(rehearsal, outcome))}
          />
        ) : null}
        {rehearsal && wait && wait.kind !== 'effect' && wait.until !== null ? (
          <Button size="small" onClick={() => setRehearsal(skipInRehearsal(rehearsal))}>
            {t(wait.kind === 'reply' ? 'botFlows.test.noReply' : 'botFlows.test.skipWait')}
          </Button>
        ) : null}
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            say(text);
          }}
        >
          <Input
            aria-label={t('botFlows.test.write')}
            placeholder={t('botFlows.test.write')}
            value={text}
            maxLength={1000}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
          <IconButton type="submit" variant="primary" label={t('botFlows.test.send')}>
            <SendHorizontal aria-hidden />
          </IconButton>
        </form>
        {rehearsal ? <RehearsalState rehearsal={rehearsal} /> : null}
      </div>
    </Panel>
  );
}

/** Nobody: a contact with values of every kind that texts may hold. */
function sampleContact(): Known {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const name = t('botFlows.test.name');
  return {
    contact: {
      ...{ name, first_name: name.split(' ')[0] ?? name, phone: '+14155550100', email: 'alex@example.com' },
      ...{ language: activeLocale(), fields: {} },
    },
    workspace: { business: t('botFlows.test.business') },
    ...{ contactZone: zone, workspaceZone: zone, seed: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0 },
  };
}

function Dialogue({
  rehearsal,
  names,
  onTap,
}: {
  rehearsal: Rehearsal;
  names: ReferenceNames;
  onTap: (choice: OfferedChoice) => void;
}) {
  const { entries, state, flow } = rehearsal;
  const titles = stepTitles(flow);
  const lastMessage = entries.findLastIndex(({ kind }) => kind === 'message');
  const isWaiting = state.wait?.kind === 'reply';
  return entries.map((entry, place) => {
    switch (entry.kind) {
      case 'contact':
        return (
          <Bubble key={place} isOwn label={t('botFlows.test.customer')}>
            {entry.text}
          </Bubble>
        );
      case 'message': {
        const { text, templateId, media, fileId, link, choices, buttons } = entry.request;
        const offered = Array.isArray(choices) ? (choices as unknown as OfferedChoice[]) : [];
        const plain = (Array.isArray(buttons) ? (buttons as string[]) : []).map((title) => ({
          ...{ id: title, title, description: '' },
        }));
        const all = offered.length > 0 ? offered : plain;
        const nameOf = (id: unknown) => (typeof id === 'string' ? names.get(id) : undefined) ?? '';
        const shown =
          typeof media === 'string' ? (
            <TestFile kind={media} name={typeof link === 'string' ? link : nameOf(fileId)} text={text} />
          ) : typeof text === 'string' && text !== '' ? (
            text
          ) : (
            t('botFlows.test.template', { name: nameOf(templateId) })
          );
        return (
          <Bubble key={place} label={t('botFlows.test.bot')} note={titles.get(entry.stepId)}>
            {shown}
            {all.length > 0 ? (
              <span className="mt-2 flex flex-wrap gap-1.5">
                {all.map((choice) => (
                  <Button
                    key={choice.id}
                    size="small"
                    disabled={place !== lastMessage || !isWaiting}
                    onClick={() => onTap(choice)}
                  >
                    {choice.title}
                  </Button>
                ))}
              </span>
            ) : null}
          </Bubble>
        );
      }
      case 'action':
        return (
          <li key={place} className="self-center text-center text-xs text-pretty text-muted">
            {t('botFlows.test.wouldDo', { step: titles.get(entry.stepId) ?? '' })}
          </li>
        );
      default:
        return null;
    }
  });
}

/** A file as the customer would get it, by its name; it is not fetched. */
function TestFile({ kind, name, text }: { kind: string; name: string; text: unknown }) {
  return (
    <>
      <span className="block rounded-md bg-sunken px-2 py-1.5">
        {t('botFlows.test.file', { kind: optionName(kind, 'send_media'), name })}
      </span>
      {typeof text === 'string' && text !== '' ? <span className="mt-1 block">{text}</span> : null}
    </>
  );
}

function Bubble({
  isOwn = false,
  label,
  note,
  children,
}: {
  isOwn?: boolean;
  label: string;
  note?: string | undefined;
  children: ReactNode;
}) {
  return (
    <li
      className={`max-w-[85%] rounded-card px-3 py-2 text-sm ${isOwn ? 'self-end bg-primary-soft' : 'self-start border border-border bg-raised'}`}
    >
      <span className="sr-only">{label}: </span>
      <span dir="auto" className="whitespace-pre-line wrap-anywhere">
        {children}
      </span>
      {note ? <span className="mt-1 block text-xs text-muted">{note}</span> : null}
    </li>
  );
}
