import { describe, expect, it } from 'vitest';
import { compareMonths, type MonthFigures } from './month-figures.ts';

const none: MonthFigures = {
  sent: 0,
  delivered: 0,
  read: 0,
  sentBefore: 0,
  deliveredBefore: 0,
  readBefore: 0,
  contacts: 0,
  contactsBefore: 0,
};

describe('the cards of the dashboard', () => {
  it('show 0 and no change while nothing was sent', () => {
    const nothing = { value: 0, change: null };
    expect(compareMonths(none)).toEqual({
      totalContacts: nothing,
      messagesSent: nothing,
      deliveryRate: nothing,
      readRate: nothing,
    });
  });

  it('compare counts in percent and rates in points, with one decimal', () => {
    const figures = {
      ...none,
      ...{ sent: 300, delivered: 270, read: 189, sentBefore: 200, deliveredBefore: 170, readBefore: 85 },
      ...{ contacts: 110, contactsBefore: 80 },
    };
    expect(compareMonths(figures)).toEqual({
      totalContacts: { value: 110, change: 37.5 },
      messagesSent: { value: 300, change: 50 },
      deliveryRate: { value: 90, change: 5 },
      readRate: { value: 70, change: 20 },
    });
  });
});
