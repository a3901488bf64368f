import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { mailRules } from '../../platform/jobs/mailer.ts';
import { mailWords } from '../../platform/words/mail-words.ts';
import { makeLinkToken } from '../link-token.ts';

type Row = { email: string; name: string; workspace: string; language: InterfaceLanguage };

/** Mails the link of an invitation that is still open. The link is made here. */
export const invitationMail = defineJob({
  ...mailRules,
  name: 'invitation-mail',
  as: 'sign-in',
  payload: z.object({ invitationId: z.uuid() }),
  repeat: 'once',
  atOnce: 1,
  async run({ read, clock, secrets, mailer, publicUrl }, { id, payload: { invitationId } }) {
    const found = await read(async (scope) => {
      const { rows } = await scope.query<Row>(
        `SELECT i.email, i.invited_by_name AS name, coalesce(w.settings->>'businessName', w.name) AS workspace, w.language
           FROM invitations i JOIN workspaces w ON w.id = i.workspace_id
          WHERE i.workspace_id = $1 AND i.id = $2 AND i.state = 'open' AND i.expires_at > $3`,
        [scope.workspaceId, invitationId, clock()],
      );
      return rows[0];
    });
    if (!found) return { isSent: false };
    const token = encodeURIComponent(makeLinkToken(secrets, 'invitation', invitationId));
    const link = `${publicUrl}/invitation?token=${token}`;
    const words = mailWords(found.language);
    // What people call themselves and their business stands in one line.
    const [name, workspace] = [found.name, found.workspace].map((text) => text.replaceAll(/\s+/g, ' '));
    await mailer.send({
      ...{ id, to: found.email },
      subject: words('mail.invitation.subject', { name: name!, workspace: workspace! }),
      text: words('mail.invitation.text', { name: name!, workspace: workspace!, link }),
    });
    return { isSent: true };
  },
});
