import { durationMs, type Duration } from '../flow-file.ts';
import { instantOf, nextTimeOfDay, zoneOf } from '../flow-times.ts';
import { DONE, textOf, type StepType, type StepVisit } from '../step-type.ts';

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
  enter(visit) {
    const until = endOf(visit);
    if (until === null) return { fail: 'time_invalid' };
    return until > visit.now ? { wait: { kind: 'time', until } } : { go: 'done' };
  },
  resume: (_visit, { kind }) => (kind === 'time' || kind === 'skip' ? { go: 'done' } : null),
};

/** A time that is past is over at once. */
function endOf({ config, known, now }: StepVisit): number | null {
  const zone = zoneOf(textOf(config, 'zone'), known);
  switch (config['mode']) {
    case 'date_time':
      return instantOf(textOf(config, 'at'), zone);
    case 'time_of_day':
      return nextTimeOfDay(
        { time: textOf(config, 'time'), weekdays: (config['weekdays'] ?? []) as number[] },
        zone,
        now,
      );
    default:
      return now + durationMs(config['duration'] as Duration);
  }
}
