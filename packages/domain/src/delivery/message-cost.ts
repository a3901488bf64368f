/** What so many messages cost, to the cent: the one figure of plans, previews and results. */
export function costOf(messages: number, pricePerMessage: number): number {
  return Math.round(messages * pricePerMessage * 100) / 100;
}
