/** What a contestant reports when it is done: the stretch from its first to its last message. */
export function report(messages: number, startedAt: number, cpuBefore: NodeJS.CpuUsage): void {
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  process.send?.({
    result: { messages, ms, cpuUs: user + system, maxRssKb: process.resourceUsage().maxRSS },
  });
}

/** The request that every contestant sends. */
export function messageBody(to: string, name: string, tag: string): string {
  return JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    template: {
      name: 'offer',
      language: { code: 'en' },
      components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'name', text: name }] }],
    },
    biz_opaque_callback_data: tag,
  });
}

export const sendPath = '/v26.0/200000000000001/messages';
export const sendHeaders = { authorization: 'Bearer bench-token', 'content-type': 'application/json' };
export const connections = 64;

export type Answer = { messages: [{ id: string }] };

/** Waits for the word to start, so that loading modules is not measured. */
export function untilStarted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('message', () => resolve());
    process.send?.({ ready: true });
  });
}
process.on('disconnect', () => process.exit(0));
