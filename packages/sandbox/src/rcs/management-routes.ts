import { Hono, type Context } from 'hono';
import { MANAGEMENT_SCOPE } from './access.ts';
import { isPhoneNumber } from './phones.ts';
import { RcsError } from './rcs-error.ts';
import type { RcsPlatform } from './rcs-platform.ts';
import { agentRecordOf, brandRecord, sandboxAgent } from './seed.ts';

/** The management API: the record of the agent, its launch, and its test devices. The platform serves it from another host. */
export function managementRoutes(platform: RcsPlatform): Hono {
  const app = new Hono();
  const enter = (c: Context, agentId: string) => {
    const agent = platform.enter(c.req.header('authorization'), agentId, MANAGEMENT_SCOPE);
    if (!agent.mayManage) throw new RcsError('PERMISSION_DENIED', 'The caller does not have permission.');
    return agent;
  };
  const enterTesters = (c: Context) => enter(c, c.req.query('agentId') ?? '');

  app.get('/brands/:brand', (c) => {
    enter(c, sandboxAgent.id);
    if (`brands/${c.req.param('brand')}` !== brandRecord.name) throw notFound();
    return c.json(brandRecord);
  });
  app.get('/brands/:brand/agents/:agent', (c) => {
    return c.json(agentRecordOf(enter(c, c.req.param('agent'))));
  });
  app.get('/brands/:brand/agents/:agent/launch', (c) => {
    const agent = enter(c, c.req.param('agent'));
    const launchState = `LAUNCH_STATE_${agent.launch}`;
    return c.json({
      name: `${agentRecordOf(agent).name}/launch`,
      rcsBusinessMessaging: { launchDetails: { '/v1/regions/sandbox-carrier': { launchState } } },
    });
  });
  app.get('/testers', (c) => {
    const agent = enterTesters(c);
    const testers = [...agent.testers].map(([phone, inviteStatus]) => ({
      ...{ name: `phones/${phone}/testers`, agentId: agent.id, phoneNumber: phone, inviteStatus },
    }));
    return c.json({ testers });
  });
  app.delete('/phones/:phone/testers', (c) => {
    const { testers } = enterTesters(c);
    const phone = c.req.param('phone');
    if (!isPhoneNumber(phone) || !testers.delete(phone)) throw notFound();
    platform.changed();
    return c.json({});
  });
  return app;
}

const notFound = () => new RcsError('NOT_FOUND', 'Requested entity was not found.');
