import { describe, expect, it } from 'vitest';
import { compareMonths, type MonthFigures } from './month-figures.ts';

const none: MonthFigures = {
  sent: 0,
  tried: 0,
  delivered: 0,
  read: 0,
  sentBefore: 0,
  triedBefore: 0,
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
      ...{ sent: 300, tried: 300, delivered: 270, read: 189 },
      ...{ sentBefore: 200, triedBefore: 200, deliveredBefore: 170, readBefore: 85 },
      ...{ contacts: 110, contactsBefore: 80 },
    };
    expect(compareMonths(figures)).toEqual({
      totalContacts: { value: 110, change: 37.5 },
      messagesSent: { value: 300, change: 50 },
      deliveryRate: { value: 90, change: 5 },
      readRate: { value: 70, change: 20 },
    });
  });

  it('count what the platform refused as not delivered, as the page of a campaign does', () => {
    const figures = {
      ...none,
      sent: 90,
      tried: 100,
      delivered: 80,
      sentBefore: 50,
      triedBefore: 100,
      deliveredBefore: 50,
    };
    const { messagesSent, deliveryRate } = compareMonths(figures);
    expect({ messagesSent, deliveryRate }).toEqual({
      messagesSent: { value: 90, change: 80 },
      deliveryRate: { value: 80, change: 30 },
    });
  });
});
