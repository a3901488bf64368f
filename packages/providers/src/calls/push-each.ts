import type { PushedRecord, PushOutcome, Reply } from '@app/domain/integrations/contact-connector';

/** Each of them waits for the service: some wait together. A kind may allow fewer at once (`limit`). */
const AT_ONCE = 4;

/** For a service that takes one record at a time: what became of each, in their order, or the problem of the service that ended it. */
export async function pushEach(
  records: readonly PushedRecord[],
  pushOne: (record: PushedRecord) => Promise<Reply<PushOutcome>>,
): Promise<Reply<PushOutcome[]>> {
  const outcomes: PushOutcome[] = [];
  for (let from = 0; from < records.length; from += AT_ONCE)
    for (const reply of await Promise.all(records.slice(from, from + AT_ONCE).map(pushOne))) {
      if (!reply.ok) return reply;
      outcomes.push(reply.value);
    }
  return { ok: true, value: outcomes };
}
