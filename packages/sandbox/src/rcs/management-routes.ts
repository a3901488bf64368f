import { Hono, type Context } from 'hono';
import { MANAGEMENT_SCOPE } from './access.ts';
import { isPhoneNumber } from './phones.ts';
import { RcsError } from './rcs-error.ts';
import type { RcsPlatform } from './rcs-platform.ts';
import { agentRecord, brandRecord, sandboxAgent } from './seed.ts';

/** The management API: the record of the agent, its launch, and its test devices. The platform serves it from another host. */
export function managementRoutes(platform: RcsPlatform): Hono {
  const app = new Hono();
  const check = (c: Context, agentId: string) => {
    platform.access.check(
      ...([c.req.header('authorization'), agentId, platform.now(), MANAGEMENT_SCOPE] as const),
    );
    if (platform.agent.isRevoked || !platform.agent.mayManage)
      throw new RcsError('PERMISSION_DENIED', 'The caller does not have permission.');
  };
  const checkTesters = (c: Context) => check(c, (c.req.query('agentId') ?? '').replace(/@rbm\.goog$/, ''));

  app.get('/brands/:brand', (c) => {
    check(c, sandboxAgent.id);
    if (`brands/${c.req.param('brand')}` !== brandRecord.name) throw notFound();
    return c.json(brandRecord);
  });
  app.get('/brands/:brand/agents/:agent', (c) => {
    check(c, c.req.param('agent'));
    return c.json(agentRecord);
  });
  app.get('/brands/:brand/agents/:agent/launch', (c) => {
    check(c, c.req.param('agent'));
    const launchState = `LAUNCH_STATE_${platform.agent.launch}`;
    return c.json({
      name: `${agentRecord.name}/launch`,
      rcsBusinessMessaging: { launchDetails: { '/v1/regions/sandbox-carrier': { launchState } } },
    });
  });
  app.get('/testers', (c) => {
    checkTesters(c);
    const testers = [...platform.testers].map(([phone, inviteStatus]) => ({
      ...{ name: `phones/${phone}/testers`, agentId: sandboxAgent.id, phoneNumber: phone, inviteStatus },
    }));
    return c.json({ testers });
  });
  app.delete('/phones/:phone/testers', (c) => {
    checkTesters(c);
    const phone = c.req.param('phone');
    if (!isPhoneNumber(phone) || !platform.testers.delete(phone)) throw notFound();
    platform.changed();
    return c.json({});
  });
  return app;
}

const notFound = () => new RcsError('NOT_FOUND', 'Requested entity was not found.');
