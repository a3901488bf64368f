import { beforeAll, expect, test, vi } from 'vitest';
import { SaveFailure } from '../../src/features/campaigns/save-failure.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { ApiError } from '../../src/shared/rpc/api-error.ts';
import { eventually, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('sending', 'campaigns'));

test('why a campaign cannot be saved is said in words, and comes into sight', async () => {
  const seen = vi.spyOn(Element.prototype, 'scrollIntoView');
  const error = new ApiError('campaign_variants_differ', { status: 422 });
  show(<SaveFailure error={error} isNew onFound={() => undefined} />);
  await eventually(() => expect(shownText()).toContain('All variants of a test must be of one kind'));
  expect(seen.mock.contexts.map((element) => (element as Element).textContent)).toEqual([shownText()]);
});
