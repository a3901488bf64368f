import { findFlowProblems, listFlowReferences } from '@app/domain/flows/check-flow';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { afterAll, describe, expect, test } from 'vitest';
import { loadMessages, switchLocale } from '../../../shared/messages.ts';
import { botFlowTemplateNames, buildBotFlowTemplate } from './bot-flow-templates.ts';
import { readFlowFile, replaceReferences } from './flow-files.ts';

afterAll(() => switchLocale('en'));

describe.each(interfaceLanguages)('in the language %s', (language) => {
  test.each(botFlowTemplateNames)('the template %s can be published as it is', async (name) => {
    await loadMessages('bot-flows', 'automation');
    await switchLocale(language);
    const { flow, asks } = buildBotFlowTemplate(name);
    expect(findFlowProblems(flow)).toEqual([]);
    const steps = flow.steps.map(({ id }) => id);
    for (const { ids } of asks) expect(steps).toEqual(expect.arrayContaining([...ids]));
  });
});

describe('a flow file', () => {
  const file = { format: 'flow', formatVersion: 1, kind: 'bot', name: 'A', triggers: [], steps: [] };
  test.each([
    ['no JSON', 'x', 'unreadable'],
    ['something else', '[1]', 'unreadable'],
    ['no version', JSON.stringify({ ...file, formatVersion: undefined }), 'unreadable'],
    ['a newer product', JSON.stringify({ ...file, formatVersion: 2 }), 'newer'],
    ['a workflow', JSON.stringify({ ...file, kind: 'workflow' }), 'workflow'],
    ['too much', ' '.repeat(300_000), 'tooLarge'],
    ['a bot flow', JSON.stringify({ ...file, references: [] }), null],
  ])('of %s', (_, text, problem) => expect(readFlowFile(text).problem).toBe(problem));

  test('gets what was chosen in the place of what is not here, and nothing where nothing was chosen', () => {
    const [here, gone] = ['0193a6f0-0000-7000-8000-000000000001', '0193a6f0-0000-7000-8000-000000000002'];
    const { flow } = buildBotFlowTemplate('complaint');
    const steps = flow.steps.map((step) =>
      step.id === 'person' ? { ...step, config: { to: 'team', team: gone } } : step,
    );
    const teamIn = (chosen: string) =>
      replaceReferences({ ...flow, steps }, new Map([[`team ${gone}`, chosen]])).steps.at(-1)?.config['team'];
    expect([teamIn(here), teamIn('')]).toEqual([here, '']);
  });

  test('has the file that a step sends as something to choose anew, with the name that it had', () => {
    const gone = '0193a6f0-0000-7000-8000-000000000003';
    const config = { media: 'document', source: 'library', file: gone, caption: 'Our prices' };
    const step = { id: 'prices', type: 'send_media', config, delay: null, next: {} };
    const reference = { kind: 'media', id: gone, name: 'Prices.pdf' };
    const text = JSON.stringify({
      ...{ ...buildBotFlowTemplate('complaint').flow, steps: [step], start: 'prices' },
      // Written by hand, it may hold anything.
      references: [reference, null, 7, { kind: 'media', id: gone }],
    });
    const read = readFlowFile(text);
    if (read.problem !== null) throw new Error(read.problem);
    expect(read.references).toEqual([reference]);
    expect(listFlowReferences(read.flow)).toMatchObject([{ kind: 'media', id: gone, of: 'prices' }]);
    const [chosen] = replaceReferences(read.flow, new Map([[`media ${gone}`, 'here']])).steps;
    expect(chosen!.config).toEqual({ ...config, file: 'here' });
  });
});
