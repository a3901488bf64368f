import { expect, test } from 'vitest';
import { scryptHasher } from './password-hasher.ts';

/** Of `Welcome123`, as the first version of the product kept it. */
const OF_BEFORE =
  '361dc64ee11ae55fd15f53be35e5ac91:affa2bd0e6b89403915194b7c9ceb5d5bea85ec6bba1fe7d099f4e530a066646062e57c95bf06ef88a83ed557d08b215c7bc26bd7010a7e5d75197e96d9cab63';

test('a password is known by its hash, and by one from before, and no other is', async () => {
  const [one, other] = [await scryptHasher.hash('Welcome123'), await scryptHasher.hash('Welcome123')];
  expect(one).not.toBe(other);
  for (const hash of [one, other, OF_BEFORE]) {
    expect(await scryptHasher.verify('Welcome123', hash)).toBe(true);
    expect(await scryptHasher.verify('welcome123', hash)).toBe(false);
  }
});
