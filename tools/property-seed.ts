import fc from 'fast-check';
import { isThorough } from '../packages/database/src/testing/thorough.ts';

// Set-up of test files: the same drawn cases in each run, so that nobody's change fails by another's chance.
if (!isThorough) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 7 });
