import { problemOfCall, type ConnectorKind } from '@app/domain/integrations/connector-kind';

/** A service that answers who asks. All of a connector stands in this file. */
export const echoConnector: ConnectorKind = {
  name: 'echo',
  title: 'Echo',
  category: 'productivity',
  type: 'webhook',
  features: ['connector.echo.feature.repeats'],
  limit: { perSecond: 50, atOnce: 4 },
  credentials: {
    version: 1,
    fields: [
      { name: 'server', label: 'connector.echo.server', isSecret: false, format: 'url' },
      { name: 'apiKey', label: 'connector.echo.api_key', isSecret: true, format: 'text' },
    ],
  },
  open: ({ server, apiKey }, { call }) => ({
    async check() {
      const outcome = await call({
        url: `${server}/echo/whoami`,
        headers: { authorization: `Bearer ${apiKey}` },
        retry: { attempts: 3 },
      });
      const problem = problemOfCall(outcome);
      if (problem) return { state: 'unhealthy', problem, detail: null };
      const answer = outcome.outcome === 'ok' ? outcome.response.json() : undefined;
      if (typeof answer !== 'object' || answer === null || !('account' in answer))
        return { state: 'unhealthy', problem: 'response_unreadable', detail: null };
      return { state: 'healthy', account: String(answer.account) };
    },
  }),
};
