import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/define-job.ts';
import { mailRules } from '../platform/jobs/mailer.ts';
import { mailWords } from '../platform/words/mail-words.ts';

type Row = { email: string; workspace: string; language: InterfaceLanguage };

/** Tells somebody who asked to join that they may sign in now. */
export const approvalMail = defineJob({
  ...mailRules,
  name: 'approval-mail',
  as: 'sign-in',
  payload: z.object({ userId: z.uuid() }),
  repeat: 'once',
  atOnce: 1,
  async run({ read, mailer, publicUrl }, { id, payload: { userId } }) {
    const found = await read(async (scope) => {
      const { rows } = await scope.query<Row>(
        `SELECT u.email, w.name AS workspace, coalesce(u.language, w.language) AS language
           FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
          WHERE m.workspace_id = $1 AND m.user_id = $2 AND m.is_active`,
        [scope.workspaceId, userId],
      );
      return rows[0];
    });
    if (!found) return { isSent: false };
    const words = mailWords(found.language);
    const workspace = found.workspace.replaceAll(/\s+/g, ' ');
    await mailer.send({
      ...{ id, to: found.email },
      subject: words('mail.approval.subject', { workspace }),
      text: words('mail.approval.text', { workspace, link: `${publicUrl}/login` }),
    });
    return { isSent: true };
  },
});
