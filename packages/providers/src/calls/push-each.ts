import type { PushedRecord, PushOutcome, Reply } from '@app/domain/integrations/contact-connector';

/** For a service that takes one record at a time: what became of each, in their order, or the problem of the service that ended it. */
export async function pushEach(
  records: readonly PushedRecord[],
  pushOne: (record: PushedRecord) => Promise<Reply<PushOutcome>>,
): Promise<Reply<PushOutcome[]>> {
  const outcomes: PushOutcome[] = [];
  for (const record of records) {
    const reply = await pushOne(record);
    if (!reply.ok) return reply;
    outcomes.push(reply.value);
  }
  return { ok: true, value: outcomes };
}
