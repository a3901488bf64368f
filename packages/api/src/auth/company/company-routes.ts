import type { Origin } from '../../platform/origin.ts';
import { readBody, readText } from '../auth-forms.ts';
import type { AuthParts } from '../auth-parts.ts';
import { answer } from '../auth-response.ts';
import { describeSession } from '../sessions/describe-session.ts';
import { addTicket, dropTicket } from './company-cookie.ts';
import { beginCompanySignIn, finishCompanySignIn } from './company-sign-in.ts';
import { returnFromCompany } from './return-from-company.ts';

type Routes = Record<string, (request: Request, caller: Origin) => Promise<Response>>;

/**
 * Three steps: the page asks where to go, the provider sends the browser back, and the page takes what came of it. The last is a request of our own
 * page, so that it brings the note of the browser, which no request does that another site caused.
 */
export function companyRoutes(parts: AuthParts): Routes {
  if (!parts.companyProvider) return {};
  return {
    'POST /api/auth/company/begin': async (request, caller) => {
      const { rememberMe, returnTo } = await readBody(request);
      const form = {
        rememberMe: rememberMe === true,
        returnTo: typeof returnTo === 'string' ? returnTo : '',
      };
      const { ticket, address } = await beginCompanySignIn(parts, caller, form);
      return answer({ address }, [addTicket(parts, request, ticket)]);
    },
    'GET /api/auth/company/callback': async (request, caller) =>
      new Response(null, {
        status: 303,
        headers: {
          location: await returnFromCompany(parts, request, caller),
          'cache-control': 'no-store',
        },
      }),
    'POST /api/auth/company/finish': async (request, caller) => {
      const attemptId = readText(await readBody(request), 'attempt');
      const { arrived, rememberMe } = await finishCompanySignIn(parts, request, caller, attemptId);
      const drop = dropTicket(parts, request, attemptId);
      if ('isPending' in arrived) return answer({ session: null, rememberMe, ...arrived }, [drop]);
      const cookies = [...arrived.cookies, drop];
      return 'isSecondStep' in arrived
        ? answer({ session: null, rememberMe, isSecondStep: true }, cookies)
        : answer({ session: describeSession(arrived.session), rememberMe }, cookies);
    },
  };
}
