import { decideAbTests } from '@app/api/campaigns/ab-test/decide-ab-tests';
import { guardCampaigns } from '@app/api/campaigns/guard-campaigns';
import { keepQuietHours } from '@app/api/campaigns/keep-quiet-hours';
import { createDueStarts } from '@app/api/campaigns/start-due-campaigns';
import type { ApiDependencies } from '@app/api/platform/request-context';
import type { SystemParts } from '@app/api/platform/system-work';

type Parts = SystemParts & Pick<ApiDependencies, 'channelKinds' | 'publicUrl'>;

const EVERY_MS = 1_000;

/** Begins due campaigns, keeps quiet hours, ends A/B tests and guards what is sent, each by rounds of its own: a start that takes long delays no pause. */
export function keepSchedule(parts: Parts): { stop(): Promise<void> } {
  const starts = createDueStarts(parts);
  const rounds = [
    repeat(parts, 'the quiet hours of campaigns could not be kept', () => keepQuietHours(parts)),
    repeat(parts, 'A/B tests could not be decided', () => decideAbTests(parts)),
    repeat(parts, 'failing campaigns could not be looked for', () => guardCampaigns(parts)),
    repeat(parts, 'the schedule of campaigns could not be read', () => starts.begin()),
  ];
  return {
    stop: async () => {
      await Promise.all(rounds.map((round) => round.stop()));
      await starts.settle();
    },
  };
}

/** One round after the other, as long as one may take. */
function repeat(
  { logger }: SystemParts,
  failure: string,
  work: () => Promise<void>,
): { stop(): Promise<void> } {
  let round: Promise<void> | undefined;
  const timer = setInterval(() => {
    round ??= work()
      .catch((error: unknown) => logger.warn({ err: error }, failure))
      .finally(() => (round = undefined));
  }, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await round;
    },
  };
}
