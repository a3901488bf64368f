import { writeLink } from '@app/database/links/link-code';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import type { OutboundMessage } from '@app/domain/messaging/channel-port';
import type { MessageContent } from '@app/domain/messaging/message-content';
import {
  compileMissingValue,
  compileRunMessage,
  hasLanguages,
  isInOther,
  needsCustomValues,
  variantOf,
  type RecipientFacts,
  type RunMessage,
} from '@app/domain/delivery/run-message';
import type { ClaimedFacts, ClaimedRecipient } from './claim-recipients.ts';
import type { RunRow } from '../engine/channel-runs.ts';

/** A claimed stretch of the audience and how many of it have no stored outcome yet. */
export type Slice = { from: number; open: number };

type Try = Pick<ClaimedRecipient, 'seq' | 'attempt'>;

export type SendItem = { run: RunWork; recipient: ClaimedRecipient; slice: Slice | null };

/** What fills the message for a claimed recipient. */
export function factsOf({
  seq,
  name,
  address,
  email,
  customValues,
  language,
  variant,
}: ClaimedRecipient): RecipientFacts {
  return {
    ...{ name, phone: address, email, customValues, language, variant },
    writeLink: (link) => writeLink(link, seq),
  };
}

/** What the sender knows of one run while it holds it. */
export class RunWork {
  readonly runNo: number;
  readonly campaignId: string;
  readonly category: RunRow['category'];
  readonly facts: ClaimedFacts;
  readonly fill: (person: RecipientFacts) => MessageContent;
  /** Not delivered later than so long after its sending; null without a limit. */
  readonly timeLimitMs: number | null;
  /** The placeholder for which somebody has no value; null where nothing keeps the message from leaving. */
  readonly missingValue: (person: RecipientFacts) => string | null;
  /** Whether a contact gets another language, or another variant, than the campaign was chosen in. */
  readonly isInOther: (recipient: Pick<ClaimedRecipient, 'language' | 'variant'>) => boolean;
  state: RunRow['state'];
  total: number;
  /** Who comes behind these waits for the end of a test; at most `total`. */
  claimable: number;
  /** Of these, how many may be claimed from when on; null for all at once. */
  gates: RunRow['gates'];
  cursor: number;
  isFrozen: boolean;
  isFreezing = false;
  /** A pause is decided and not yet stored: what the database says of the state is old. */
  isPausing = false;
  nextRetryAt: number | null;
  /** Nothing may be claimed before, by the clock of this engine. */
  heldUntil = 0;
  /** Claimed recipients whose outcome is not committed yet. */
  unsettled = 0;
  /** Tries that came from `claimRetries` and have no stored outcome yet, by their recipients. */
  readonly #retriesInHand = new Map<number, number>();
  /** Given back, but not yet known to be committed: claimed again now, a repeated statement would give them back twice. */
  readonly #releasing = new Map<number, number>();
  readonly #slices: Slice[] = [];
  readonly #daysInDoubt = new Map<number, string>();

  constructor(row: RunRow, message: RunMessage) {
    this.runNo = row.runNo;
    this.campaignId = row.campaignId;
    this.category = row.category;
    this.facts = {
      category: row.category,
      needsCustomValues: needsCustomValues(message),
      needsLanguage: hasLanguages(message),
      needsVariant: message.variants !== undefined,
    };
    this.fill = compileRunMessage(message);
    this.timeLimitMs = message.timeLimitSeconds === undefined ? null : message.timeLimitSeconds * 1000;
    this.missingValue = compileMissingValue(message);
    this.isInOther = ({ language, variant }) =>
      Boolean(variant) || isInOther(variantOf(message, variant), language);
    this.state = row.state;
    this.total = row.total;
    this.claimable = row.claimable;
    this.gates = row.gates;
    this.cursor = row.cursor;
    this.isFrozen = row.isFrozen;
    this.nextRetryAt = row.nextRetryAt;
  }

  get maySend(): boolean {
    return this.state === 'ready' || this.state === 'running';
  }

  /** What leaves to a claimed recipient, with its time limit from now. */
  messageTo(recipient: ClaimedRecipient): OutboundMessage {
    const { seq, attempt, address } = recipient;
    return {
      ...{
        to: address,
        tag: formatDeliveryTag({ runNo: this.runNo, seq, attempt }),
        origin: this.campaignId,
      },
      ...{ content: this.fill(factsOf(recipient)), intent: this.category },
      ...(this.timeLimitMs !== null && { expiresAt: new Date(Date.now() + this.timeLimitMs) }),
    };
  }

  hasWork(now: number): boolean {
    return (
      this.maySend &&
      now >= this.heldUntil &&
      (this.cursor < this.claimableAt(now) || (this.nextRetryAt !== null && this.nextRetryAt <= now))
    );
  }

  /** The place up to which recipients may be claimed now. */
  claimableAt(now: number): number {
    if (this.gates === null) return this.claimable;
    const open = this.gates.findLast(({ at }) => at <= now)?.upto ?? 0;
    return Math.min(this.claimable, open);
  }

  /** When the next ones may be; Infinity when none wait for their hour. */
  nextGateAt(now: number): number {
    if (this.cursor >= this.claimable) return Infinity;
    return this.gates?.find(({ at }) => at > now)?.at ?? Infinity;
  }

  get isDone(): boolean {
    return (
      this.maySend &&
      this.isFrozen &&
      this.cursor >= this.total &&
      this.unsettled === 0 &&
      this.nextRetryAt === null
    );
  }

  takeInHand(retries: readonly Try[]): void {
    for (const { seq, attempt } of retries) this.#retriesInHand.set(seq, attempt);
  }

  noteReleasing({ seq, attempt }: Try): void {
    this.#releasing.set(seq, attempt);
  }

  /** A try whose outcome is committed. A later one of its recipient may have been claimed before we heard of that: it stays in hand. */
  letGo({ seq, attempt }: Try): void {
    for (const tries of [this.#retriesInHand, this.#releasing])
      if (tries.get(seq) === attempt) tries.delete(seq);
  }

  isHeld({ seq, attempt }: Try): boolean {
    return this.#retriesInHand.get(seq) === attempt || this.#releasing.has(seq);
  }

  /** Recipients with such a try: none of them is claimed again before it is committed. */
  get held(): number[] {
    return [...this.#retriesInHand.keys(), ...this.#releasing.keys()];
  }

  openSlice(from: number, upto: number, count: number): Slice {
    const slice = { from, open: count };
    this.cursor = upto;
    this.unsettled += count;
    if (count > 0) this.#slices.push(slice);
    return slice;
  }

  /**
   * Recipients whose claim takes the allowance of a day, from before its commit until the answer to that: should it get lost, they are
   * given back, and the day with them.
   */
  holdInDoubt(claimed: readonly ClaimedRecipient[]): void {
    for (const { seq, day } of claimed) if (day !== null) this.#daysInDoubt.set(seq, day);
  }

  /** Their claim has committed, and we know it; or they were given back. */
  clearDoubt(recipients: readonly { seq: number }[]): void {
    if (this.#daysInDoubt.size === 0) return;
    for (const { seq } of recipients) this.#daysInDoubt.delete(seq);
  }

  dayInDoubt(seq: number): string | null {
    return this.#daysInDoubt.get(seq) ?? null;
  }

  /** Everything below has an outcome or waits for a retry. */
  lowWater(): number {
    while (this.#slices[0]?.open === 0) this.#slices.shift();
    return this.#slices[0]?.from ?? this.cursor;
  }
}
