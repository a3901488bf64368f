import { describe, expect, it } from 'vitest';
import {
  confidenceInterval,
  detectableDifference,
  differenceByChance,
  normalArea,
  normalQuantile,
  requiredSample,
} from './proportions.ts';

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [1, 0.8413447],
    [1.959964, 0.975],
    [-1.959964, 0.025],
    [3, 0.9986501],
  ])('has below %d the area %d', (z, area) => {
    expect(normalArea(z)).toBeCloseTo(area, 6);
    expect(normalQuantile(area)).toBeCloseTo(z, 3);
  });

  it.each([0, 1, -1, Number.NaN])('has no place for the area %d', (area) => {
    expect(() => normalQuantile(area)).toThrow(RangeError);
  });
});

describe('the required sample', () => {
  // The two-sided figures of the formula of Fleiss, as other programs print them: R's power.prop.test rounds up to the same.
  it.each([
    { rate: 0.5, difference: 0.05, variants: 2, sample: 1565 },
    { rate: 0.1, difference: 0.02, variants: 2, sample: 3841 },
    { rate: 0.2, difference: 0.05, variants: 2, sample: 1094 },
    { rate: 0.05, difference: 0.01, variants: 2, sample: 8158 },
  ])('is $sample at $rate and $difference', ({ sample, ...asked }) => {
    expect(requiredSample(asked)).toBe(sample);
  });

  it('grows with each variant, as each pair gets its part of the significance', () => {
    const of = (variants: number) => requiredSample({ rate: 0.3, difference: 0.05, variants });
    expect(of(2)).toBeLessThan(of(3));
    expect(of(3)).toBeLessThan(of(4));
  });

  it('asks for the larger number of both directions, and for one that exists near an end', () => {
    const of = (rate: number) => requiredSample({ rate, difference: 0.05, variants: 2 });
    expect(of(0.3)).toBe(of(0.7));
    expect(of(0.99)).toBe(of(0.01));
    expect(of(0.99)).toBeLessThan(of(0.9));
  });

  it('is never so small that the test says nothing', () => {
    expect(requiredSample({ rate: 0.5, difference: 0.5, variants: 2 })).toBe(30);
  });

  it('is what the smallest difference that can be shown comes from', () => {
    const sample = requiredSample({ rate: 0.4, difference: 0.03, variants: 3 });
    expect(detectableDifference({ rate: 0.4, sample, variants: 3 })).toBeCloseTo(0.03, 4);
    expect(detectableDifference({ rate: 0.4, sample: 1, variants: 2 })).toBeNull();
  });
});

describe('what was found', () => {
  it.each([
    { base: 100, hits: 50, low: 0.4038, high: 0.5962 },
    { base: 20, hits: 0, low: 0, high: 0.1611 },
    { base: 20, hits: 20, low: 0.8389, high: 1 },
  ])('lies for $hits of $base between $low and $high', ({ low, high, ...of }) => {
    const interval = confidenceInterval(of);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it('has no interval for nobody', () => {
    expect(confidenceInterval({ base: 0, hits: 0 })).toBeNull();
  });

  it.each([
    { one: { base: 1000, hits: 500 }, other: { base: 1000, hits: 560 }, chance: 0.0072 },
    { one: { base: 1000, hits: 500 }, other: { base: 1000, hits: 500 }, chance: 1 },
    { one: { base: 100, hits: 0 }, other: { base: 100, hits: 0 }, chance: 1 },
    { one: { base: 0, hits: 0 }, other: { base: 100, hits: 50 }, chance: 1 },
  ])('comes about by chance: $one.hits of $one.base against $other.hits', ({ one, other, chance }) => {
    expect(differenceByChance(one, other)).toBeCloseTo(chance, 3);
    expect(differenceByChance(other, one)).toBeCloseTo(chance, 3);
  });
});
