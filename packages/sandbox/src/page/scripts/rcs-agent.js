import { api, button, element, find } from './dom.js';

const states = ['LAUNCHED', 'PENDING', 'REJECTED', 'SUSPENDED', 'UNLAUNCHED'];
find('rcs-launch').replaceChildren(
  ...states.map((state) => element('option', { value: state, text: state })),
);

/** The agent of the console, which a new customer writes to as well. */
export const agentOfConsole = () => find('rcs-agent').value || 'sandbox-agent';

/** Lists the agents; the chosen one stays chosen. */
export async function listAgents(chosen = find('rcs-agent').value) {
  const answer = await api('GET', '/_sandbox/rcs/agents');
  if (!answer) return;
  find('rcs-agent').replaceChildren(
    ...answer.agents.map(({ id }) => element('option', { value: id, text: id })),
  );
  if (answer.agents.some(({ id }) => id === chosen)) find('rcs-agent').value = chosen;
}

/** The state of the agent at its platform, and the phones that were invited to test it. */
export async function showRcsAgent() {
  if (find('rcs').hidden) return;
  const answer = await api('GET', `/_sandbox/rcs/testers?agentId=${agentOfConsole()}`);
  if (!answer) return;
  const { testers, launch, isRevoked } = answer;
  find('rcs-launch').value = launch;
  find('rcs-revoked').checked = isRevoked;
  find('rcs-no-testers').hidden = testers.length > 0;
  const news = JSON.stringify(testers);
  if (news === showRcsAgent.shown) return;
  showRcsAgent.shown = news;
  find('rcs-testers').replaceChildren(...testers.map(testerOf));
}

function testerOf({ phone, inviteStatus }) {
  const answer = (status) => async () => {
    await api('POST', `/_sandbox/rcs/testers/${encodeURIComponent(phone)}`, {
      ...{ inviteStatus: status, agentId: agentOfConsole() },
    });
    await showRcsAgent();
  };
  return element(
    'li',
    { className: 'row' },
    element('code', { text: phone }),
    element('span', { text: inviteStatus }),
    inviteStatus === 'ACCEPTED' ? null : button('Accept', answer('ACCEPTED')),
    inviteStatus === 'DECLINED' ? null : button('Decline', answer('DECLINED')),
  );
}

find('rcs-launch').addEventListener('change', ({ target }) =>
  api('POST', '/_sandbox/rcs/agent/launch-state', { state: target.value, agentId: agentOfConsole() }),
);
find('rcs-revoked').addEventListener('change', ({ target }) =>
  api('POST', '/_sandbox/rcs/agent/access', {
    ...{ isRevoked: target.checked, agentId: agentOfConsole() },
  }),
);
