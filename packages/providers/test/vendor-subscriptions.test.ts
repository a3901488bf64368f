import { expect, test } from 'vitest';
import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import type { Sandbox } from '@app/sandbox/sandbox';
import { calendlyConnector } from '../src/calendly/calendly-connector.ts';
import { mailchimpConnector } from '../src/mailchimp/mailchimp-connector.ts';
import { shopifyConnector } from '../src/shopify/shopify-connector.ts';
import { openConnectorScene, type ConnectorScene } from './connector-scene.ts';

type Entered = { delete(id: string): boolean; keys(): Iterable<string>; values(): Iterable<object> };
const addressOf = (one: object): string =>
  String(Object.entries(one).find(([name]) => /^ur[il]$/.test(name))?.[1]);
const vendors: [string, (parts: { sandboxUrl: string }) => ConnectorKind, (sandbox: Sandbox) => Entered][] = [
  ['mailchimp', mailchimpConnector, (sandbox) => sandbox.mailchimp.webhooks],
  ['calendly', calendlyConnector, (sandbox) => sandbox.calendly.subscriptions],
  ['shopify', shopifyConnector, (sandbox) => sandbox.shopify.subscriptions],
];

test.each(vendors)(
  '%s is asked once to call our address, again when it forgot, and not any more when the connection ends',
  async (name, kindOf, enteredOf) => {
    const scene: ConnectorScene = await openConnectorScene(kindOf);
    try {
      const entered = enteredOf(scene.sandbox);
      const addresses = () => [...entered.values()].map(addressOf);
      const ours = `${scene.url}/_sandbox/receiver/${name}`;
      const other = `${ours}-of-another-workspace`;
      const connector = scene.open();
      await connector.subscribe?.(ours);
      const first = addresses();
      expect(first.length).toBeGreaterThan(0);
      expect(first.every((one) => one.startsWith(ours))).toBe(true);
      await connector.subscribe?.(ours);
      expect(addresses()).toEqual(first);
      const [forgotten = ''] = entered.keys();
      entered.delete(forgotten);
      await connector.subscribe?.(ours);
      expect(addresses().toSorted()).toEqual(first.toSorted());
      await connector.subscribe?.(other);
      await connector.revoke?.(ours);
      expect(addresses()).toHaveLength(first.length);
      expect(addresses().every((one) => one.startsWith(other))).toBe(true);
      // The connection ends also where the service is away.
      Object.assign(scene.sandbox[name as 'mailchimp'].behaviour, { isDown: true });
      await expect(scene.open().revoke?.(other)).resolves.toBeUndefined();
    } finally {
      await scene.close();
    }
  },
);

test('a webhook that was entered with credentials of before gives way to one of now', async () => {
  const scene = await openConnectorScene(calendlyConnector);
  try {
    const { subscriptions } = scene.sandbox.calendly;
    const ours = `${scene.url}/_sandbox/receiver/calendly`;
    subscriptions.set('https://api.calendly.com/webhook_subscriptions/old', {
      url: `${ours}?key=old`,
      key: 'old',
    });
    await scene.open().subscribe?.(ours);
    const [only, ...more] = [...subscriptions.values()];
    expect(more).toEqual([]);
    expect(only?.url).not.toContain('key=old');
    expect(only?.key).not.toBe('old');
  } finally {
    await scene.close();
  }
});
