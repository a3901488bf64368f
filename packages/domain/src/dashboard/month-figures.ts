/** Messages of this month so far (plain) and of as much of the month before; contacts now and when the month began. */
export type MonthFigures = {
  sent: number;
  /** Sent, or refused by the platform: what a delivery rate is a part of. */
  tried: number;
  delivered: number;
  read: number;
  sentBefore: number;
  triedBefore: number;
  deliveredBefore: number;
  readBefore: number;
  contacts: number;
  contactsBefore: number;
};

/** `change` is against last month: percent for counts, percentage points for rates; null without a month to compare with. */
export type Figure = { value: number; change: number | null };

/**
 * The four cards of the dashboard home: a value and its change are of the same time. Rates are percentages with one decimal; 0 when
 * nothing was sent.
 */
export function compareMonths(
  figures: MonthFigures,
): Record<'totalContacts' | 'messagesSent' | 'deliveryRate' | 'readRate', Figure> {
  const { sent, tried, delivered, read, sentBefore, triedBefore, deliveredBefore, readBefore } = figures;
  return {
    totalContacts: {
      value: figures.contacts,
      change: growth(figures.contactsBefore, figures.contacts),
    },
    messagesSent: { value: sent, change: growth(sentBefore, sent) },
    deliveryRate: {
      value: percent(delivered, tried),
      change:
        triedBefore === 0 ? null : round(percent(delivered, tried) - percent(deliveredBefore, triedBefore)),
    },
    readRate: {
      value: percent(read, delivered),
      change:
        deliveredBefore === 0 ? null : round(percent(read, delivered) - percent(readBefore, deliveredBefore)),
    },
  };
}

function growth(before: number, now: number): number | null {
  return before === 0 ? null : round(((now - before) / before) * 100);
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : round((part / whole) * 100);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
