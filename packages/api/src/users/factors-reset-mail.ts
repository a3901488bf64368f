import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/define-job.ts';
import { mailRules } from '../platform/jobs/mailer.ts';
import { mailWords } from '../platform/words/mail-words.ts';

type Row = { email: string; name: string; language: InterfaceLanguage };

/** Tells somebody that their second factor was taken away, and by whom. */
export const factorsResetMail = defineJob({
  ...mailRules,
  name: 'factors-reset-mail',
  as: 'sign-in',
  payload: z.object({ userId: z.uuid(), admin: z.string(), passkeys: z.number() }),
  repeat: 'once',
  atOnce: 1,
  async run({ read, mailer, publicUrl }, { id, payload: { userId, admin, passkeys } }) {
    const found = await read(async (scope) => {
      const { rows } = await scope.query<Row>(
        `SELECT u.email, u.first_name AS name, coalesce(u.language, w.language) AS language
           FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
          WHERE m.workspace_id = $1 AND m.user_id = $2`,
        [scope.workspaceId, userId],
      );
      return rows[0];
    });
    if (!found) return { isSent: false };
    const words = mailWords(found.language);
    const [name, by] = [found.name, admin].map((text) => text.replaceAll(/\s+/g, ' '));
    await mailer.send({
      ...{ id, to: found.email },
      subject: words('mail.factorsReset.subject'),
      text: words('mail.factorsReset.text', {
        ...{ name: name!, admin: by!, passkeys },
        link: `${publicUrl}/forgot-password`,
      }),
    });
    return { isSent: true };
  },
});
