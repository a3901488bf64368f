import { runChecks } from './checks.ts';
import { finish } from './test-steps.ts';

await runChecks();
finish();
