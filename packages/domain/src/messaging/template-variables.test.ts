import { describe, expect, it } from 'vitest';
import { findVariables, nameVariables } from './template-variables.ts';

describe('variables', () => {
  it('are found once each, in order', () => {
    expect(findVariables('{{a}} {{ b }} {{a}} {{c d}} {{}} {x}')).toEqual(['a', 'b']);
  });

  it.each([
    ['Hi {{2}} and {{1}}', 'positional', { '1': '1', '2': '2' }],
    ['Hi {{1}} and {{3}}', 'named', { '1': 'v_1', '3': 'v_3' }],
    ['Hi {{1}} and {{name}}', 'named', { '1': 'v_1', name: 'name' }],
    [
      '{{firstName}} {{first_name}} {{FIRST}}',
      'named',
      { firstName: 'first_name', first_name: 'first_name_2', FIRST: 'first' },
    ],
    ['nothing', 'positional', {}],
  ])('of %s are %s', (body, format, names) => {
    const naming = nameVariables({ name: 't', language: 'en', category: 'utility', body });
    expect(naming.format).toBe(format);
    expect(Object.fromEntries(naming.names)).toEqual(names);
  });
});
