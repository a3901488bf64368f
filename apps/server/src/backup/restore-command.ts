import { restoreInstallation } from './restore.ts';
import { runCommand } from './run-command.ts';

await runCommand(restoreInstallation);
