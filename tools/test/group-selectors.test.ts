import { expect, it } from 'vitest';
import { unnestGroups } from '../../apps/web/vite-group-selectors.ts';

it.each([
  [
    'an element in a part',
    String.raw`.group-last\:border-b-0:is(:where(.group):last-child *){border:0}`,
    String.raw`:where(.group):last-child .group-last\:border-b-0{border:0}`,
  ],
  [
    'a part with a name, in a list of selectors',
    String.raw`.a\:b:is(:where(.group):hover *),.group-hover\/row\:invisible:is(:where(.group\/row):hover *){x:y}`,
    String.raw`:where(.group):hover .a\:b,:where(.group\/row):hover .group-hover\/row\:invisible{x:y}`,
  ],
  [
    'a state with brackets of its own',
    String.raw`.group-open\:rotate-180:is(:where(.group):is([open],:popover-open) *){x:y}`,
    String.raw`:where(.group):is([open],:popover-open) .group-open\:rotate-180{x:y}`,
  ],
  [
    'an element behind its sibling',
    String.raw`.peer-checked\:visible:is(:where(.peer):checked~*){x:y}`,
    String.raw`:where(.peer):checked~.peer-checked\:visible{x:y}`,
  ],
])('says the selector of %s in the order of the elements', (_, nested, plain) => {
  expect(unnestGroups(nested)).toBe(plain);
});

it.each([
  ':is(.\\*\\:p-1>*):not(button){x:y}',
  '.dark\\:b:where([data-theme=dark],[data-theme=dark] *){x:y}',
])('leaves other selectors alone: %s', (css) => {
  expect(unnestGroups(css)).toBe(css);
});
