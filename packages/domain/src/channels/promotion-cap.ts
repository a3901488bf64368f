import { kindList } from '../channel-kinds/kind-list.ts';
import type { MessagingSettings } from '../settings/messaging-settings.ts';

/**
 * A rule of a country: within `days` days at most `most` promotional messages of one kind of channel reach one person whose number begins with
 * `prefix`. Messages of all campaigns and single ones count together.
 */
export type PromotionCap = { kind: string; prefix: string; days: number; most: number };

/** The rule that holds for a kind of channel; null where no country has one. */
export function promotionCapOf(
  { promotionsPerPerson }: Pick<MessagingSettings, 'promotionsPerPerson'>,
  kind: string,
): PromotionCap | null {
  const rule = kindList.find(({ name }) => name === kind)?.promotions;
  const most = Object.hasOwn(promotionsPerPerson, kind) ? promotionsPerPerson[kind] : rule?.most;
  return rule && most !== undefined ? { kind, prefix: rule.prefix, days: rule.days, most } : null;
}

export function isCappedNumber({ prefix }: PromotionCap, phone: string): boolean {
  return phone.startsWith(prefix);
}
