import { durationMs, type Duration, type FlowConfig } from '../flow-file.ts';
import { instantOf, nextTimeOfDay, zoneOf } from '../flow-times.ts';
import { DONE, textOf, type StepMove, type StepType, type StepVisit } from '../step-type.ts';

export const wait: StepType = {
  ...{ type: 'wait', kinds: ['workflow', 'bot'], group: 'wait', needsContact: false, isWait: true },
  fields: [
    {
      name: 'mode',
      kind: 'choice',
      options: ['duration', 'date_time', 'time_of_day'],
      isRequired: true,
      initial: 'duration',
    },
    {
      name: 'duration',
      kind: 'duration',
      least: 1000,
      isRequired: true,
      initial: { amount: 1, unit: 'days' },
      when: { field: 'mode', is: ['duration'] },
    },
    { name: 'at', kind: 'date_time', isRequired: true, when: { field: 'mode', is: ['date_time'] } },
    {
      name: 'time',
      kind: 'time',
      isRequired: true,
      initial: '09:00',
      when: { field: 'mode', is: ['time_of_day'] },
    },
    { name: 'weekdays', kind: 'weekdays', initial: [], when: { field: 'mode', is: ['time_of_day'] } },
    {
      name: 'zone',
      kind: 'time_zone',
      initial: 'workspace',
      when: { field: 'mode', is: ['date_time', 'time_of_day'] },
    },
  ],
  exits: () => DONE,
  values: () => [],
  enter: (visit) => waitSince(visit, visit.now),
  resume(visit, { kind }) {
    if (kind === 'skip') return { go: 'done' };
    if (kind !== 'time') return null;
    const { wait: before } = visit.state;
    // The zone of the workspace, or of the contact's number, may be another one by now.
    return before?.kind === 'time' && before.since !== undefined
      ? waitSince(visit, before.since)
      : { go: 'done' };
  },
};

/** A time that is past is over at once. `since`: when the wait began. */
function waitSince(visit: StepVisit, since: number): StepMove {
  const until = endOf(visit, since);
  if (until === null) return { fail: 'time_invalid' };
  if (until <= visit.now) return { go: 'done' };
  return { wait: { kind: 'time', until, ...(followsZone(visit.config) && { since }) } };
}

/** A zone that the step names itself stays. */
function followsZone(config: FlowConfig): boolean {
  const isOfClock = config['mode'] === 'date_time' || config['mode'] === 'time_of_day';
  return isOfClock && ['', 'workspace', 'contact'].includes(textOf(config, 'zone'));
}

function endOf({ config, known }: StepVisit, since: number): number | null {
  const zone = zoneOf(textOf(config, 'zone'), known);
  switch (config['mode']) {
    case 'date_time':
      return instantOf(textOf(config, 'at'), zone);
    case 'time_of_day':
      return nextTimeOfDay(
        { time: textOf(config, 'time'), weekdays: (config['weekdays'] ?? []) as number[] },
        zone,
        since,
      );
    default:
      return since + durationMs(config['duration'] as Duration);
  }
}
