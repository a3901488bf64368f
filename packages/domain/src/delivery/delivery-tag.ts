export type DeliveryTag = { runNo: number; seq: number; attempt: number };

const tagPattern = /^d1\.([0-9a-z]{1,11})\.([0-9a-z]{1,7})\.([0-9a-z]{1,4})$/;

/** The text that travels with a message and comes back in its status reports: run, recipient and attempt. */
export function formatDeliveryTag({ runNo, seq, attempt }: DeliveryTag): string {
  return `d1.${runNo.toString(36)}.${seq.toString(36)}.${attempt.toString(36)}`;
}

/** Null for a tag that is not ours: messages of people and other programs on the same number. */
export function parseDeliveryTag(tag: string): DeliveryTag | null {
  const [, ofRun, ofSeq, ofAttempt] = tagPattern.exec(tag) ?? [];
  if (!ofRun || !ofSeq || !ofAttempt) return null;
  const [runNo, seq, attempt] = [parseInt(ofRun, 36), parseInt(ofSeq, 36), parseInt(ofAttempt, 36)];
  const fits = Number.isSafeInteger(runNo) && seq <= 0x7fff_ffff && attempt <= 0x7fff;
  return fits ? { runNo, seq, attempt } : null;
}
