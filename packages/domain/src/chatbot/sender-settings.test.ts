import { expect, test } from 'vitest';
import { defaultBotSettings, type SenderSettings } from './bot-settings.ts';
import { flowsOfSender, settingsOfSender } from './sender-settings.ts';

const own: SenderSettings = {
  ...{ channelId: 'b', isEnabled: true, botFlowIds: ['2'] },
  ...{ fallbackMessage: 'Sorry.', closedMessage: ' ', businessFacts: 'Shoes.' },
};
const settings = { ...defaultBotSettings, isEnabled: true, closedMessage: 'Closed.', senders: [own] };

test('a sender has its own texts, and those of all where it names none', () => {
  expect(settingsOfSender(settings, 'b')).toMatchObject({
    ...{ isEnabled: true, fallbackMessage: 'Sorry.', closedMessage: 'Closed.', businessFacts: 'Shoes.' },
  });
  expect(settingsOfSender(settings, 'a')).toBe(settings);
});

test.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
])('bot on: %s, at the sender: %s, so it answers there: %s', (isEnabled, there, answers) =>
  expect(
    settingsOfSender({ ...settings, isEnabled, senders: [{ ...own, isEnabled: there }] }, 'b').isEnabled,
  ).toBe(answers),
);

test('a sender has all flows, or the ones that were chosen for it, in the order of all', () => {
  const flows = [{ id: '1' }, { id: '2' }];
  expect(flowsOfSender(settings, 'a', flows)).toEqual(flows);
  expect(flowsOfSender(settings, 'b', flows)).toEqual([{ id: '2' }]);
});
