import { countryZones } from './contact-zone.ts';
import { addDays, instantOf, nextTimeOfDay, zoneOf } from './flow-times.ts';
import { instantToZonedTime } from '../campaigns/zoned-time.ts';
import { textOf } from './step-type.ts';
import type { FlowConfig, FlowFile, FlowTrigger } from './flow-file.ts';
import type { FlowProblem } from './check-flow.ts';

const MINUTE_MS = 60_000;

/**
 * When a trigger `time_based` is due next after `after`, in milliseconds; null for never again. A time that the clocks skip is an hour later, one that
 * comes twice is the first of the two, and happens once. A month without the day has it on its last day.
 */
export function nextDue(config: FlowConfig, zone: string, after: number): number | null {
  if (config['mode'] === 'at') {
    const at = instantOf(textOf(config, 'at'), zone);
    return at !== null && at > after ? at : null;
  }
  const time = textOf(config, 'time') || '09:00';
  if (config['mode'] === 'date_field') return nextTimeOfDay({ time }, zone, after);
  switch (config['period']) {
    case 'hour':
      return nextFullHour(zone, after);
    case 'week': {
      const weekdays = (config['weekdays'] ?? []) as number[]; // publishing looked at them
      return nextTimeOfDay({ time, weekdays: weekdays.length > 0 ? weekdays : [1] }, zone, after);
    }
    case 'month':
      return nextOfMonth(typeof config['day'] === 'number' ? config['day'] : 1, { time, zone, after });
    default:
      return nextTimeOfDay({ time }, zone, after);
  }
}

/**
 * When an occurrence that was planned for `planned` comes after the zone was changed: on the same day, when the clocks of the new zone show its time.
 * Where that is over, it comes when it was planned: so none is lost, and none comes twice.
 */
export function movedDue(
  config: FlowConfig,
  zone: string,
  { planned, now }: { planned: number; now: number },
): number {
  const [day = ''] = instantToZonedTime(new Date(planned), zone).split('T');
  const from = config['mode'] === 'at' ? now : (instantOf(`${day}T00:00`, zone) ?? planned) - 1;
  const moved = nextDue(config, zone, from);
  return moved !== null && moved > now ? moved : planned;
}

/** Whose occurrence it is: contacts with numbers of these countries, and `withRest` those whose number tells no zone. */
export type ContactsOfZones = { countries: readonly string[]; withRest: boolean };
export type Occurrence = { at: number; zone: string; contacts: ContactsOfZones | null };

/** The next occurrence of a trigger. In the zone of the contact each zone has one of its own; zones that show the same time share theirs. */
export function nextOccurrence(config: FlowConfig, workspaceZone: string, after: number): Occurrence | null {
  if (!isByContact(config)) {
    const zone = zoneOf(textOf(config, 'zone'), { workspaceZone, contactZone: workspaceZone });
    const at = nextDue(config, zone, after);
    return at === null ? null : { at, zone, contacts: null };
  }
  const due = [...new Set([workspaceZone, ...countryZones.values()])].flatMap((zone) => {
    const at = nextDue(config, zone, after);
    return at === null ? [] : [{ at, zone }];
  });
  const at = Math.min(...due.map((one) => one.at));
  const zones = due.filter((one) => one.at === at).map(({ zone }) => zone);
  const [zone] = zones;
  if (zone === undefined) return null;
  const countries = [...countryZones].filter(([, of]) => zones.includes(of)).map(([country]) => country);
  return { at, zone, contacts: { countries, withRest: zones.includes(workspaceZone) } };
}

/** One run without a contact has the zone of the workspace. */
export function isByContact(config: FlowConfig): boolean {
  const isOnce = config['mode'] !== 'date_field' && config['runs'] === 'once';
  return textOf(config, 'zone') === 'contact' && !isOnce;
}

/**
 * Triggers for a time that is past, of those whose fields are right. One that was published with the same time has had its run, and may stay as it is.
 */
export function findPastTriggers(
  triggers: readonly FlowTrigger[],
  { published, workspaceZone, now }: { published: FlowFile | null; workspaceZone: string; now: number },
): FlowProblem[] {
  const kept = published?.triggers.filter(isForOneTime) ?? [];
  const isKept = ({ at, zone }: FlowConfig) =>
    kept.some(({ config }) => config['at'] === at && config['zone'] === zone);
  return triggers
    .filter(isForOneTime)
    .filter(({ config }) => !isKept(config) && nextOccurrence(config, workspaceZone, now) === null)
    .map(({ id }) => ({ code: 'time_past', place: 'trigger', id, field: 'at', value: null }));
}

function isForOneTime({ type, config }: FlowTrigger): boolean {
  return type === 'time_based' && config['mode'] === 'at';
}

/** On the clocks of the zone, which are half an hour apart from others in India and elsewhere. The hour that comes twice counts twice. */
function nextFullHour(zone: string, after: number): number {
  const minutes = Number(instantToZonedTime(new Date(after), zone).slice(14, 16));
  return (Math.floor(after / MINUTE_MS) + 60 - minutes) * MINUTE_MS;
}

function nextOfMonth(
  day: number,
  { time, zone, after }: { time: string; zone: string; after: number },
): number | null {
  const today = instantToZonedTime(new Date(after), zone);
  const [year = 0, month = 1] = today.split('-').map(Number);
  for (let ahead = 0; ahead <= 2; ahead += 1) {
    const first = new Date(Date.UTC(year, month - 1 + ahead, 1));
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
    const date = `${first.toISOString().slice(0, 8)}${String(Math.min(day, last)).padStart(2, '0')}`;
    const instant = instantOf(`${date}T${time}`, zone);
    if (instant !== null && instant > after) return instant;
  }
  return null;
}

/** The values of a date field that an occurrence is meant for. */
export type MeantDays =
  /** That very day, such as `2026-11-21`. */
  | { day: string }
  /** Every year: `11-21`. Who was born on 29 February has their day on the 28th in other years. */
  | { yearly: string[]; until: string };

/** `due` is the occurrence; `offset` days after the day of the field, or before it where it is negative. */
export function meantDays(config: FlowConfig, zone: string, due: number): MeantDays {
  const [today = ''] = instantToZonedTime(new Date(due), zone).split('T');
  const offset = typeof config['offset'] === 'number' ? Math.round(config['offset']) : 0;
  const day = addDays(today, -offset);
  if (config['yearly'] !== true) return { day };
  const isLeapYear = new Date(`${day.slice(0, 4)}-02-29T00:00:00Z`).getUTCDate() === 29;
  const yearly = day.endsWith('-02-28') && !isLeapYear ? ['02-28', '02-29'] : [day.slice(5)];
  return { yearly, until: day };
}
