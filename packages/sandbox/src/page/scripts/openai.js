import { api, button, clock, element, find, notify } from './dom.js';

let behaviour = null;

/** The switches of the AI stand-in, and what was asked of it. */
export async function showOpenAi() {
  if (find('openai').hidden) return;
  const [switches, log] = await Promise.all([
    api('GET', '/_sandbox/openai/behaviour'),
    api('GET', '/_sandbox/openai/calls'),
  ]);
  if (!switches || !log) return;
  const news = JSON.stringify([switches, log.total]);
  if (news === showOpenAi.shown) return;
  showOpenAi.shown = news;
  if (behaviour === null) fillFaults(switches);
  behaviour = switches;
  find('openai-answers').replaceChildren(...switches.answers.map(answerOf));
  find('openai-calls').replaceChildren(
    ...(log.calls.length === 0
      ? [element('p', { className: 'empty', text: 'No call yet.' })]
      : log.calls.slice(0, 50).map(callOf)),
  );
}

function answerOf({ contains, text, confidence }, place) {
  const remove = () => set({ answers: behaviour.answers.filter((_, other) => other !== place) });
  return element(
    'li',
    {},
    element('span', { className: 'grow', text: `“${contains}” → ${text} (${confidence})` }),
    button('Remove', () => void remove()),
  );
}

function callOf({ at, path, status, model, body, answer }) {
  return element(
    'details',
    {},
    element('summary', { text: `${clock(at)} · ${status} · ${path} · ${model ?? ''}` }),
    element('pre', { text: JSON.stringify(body, null, 2) }),
    ...(answer === null ? [] : [element('pre', { text: answer.slice(0, 4000) })]),
  );
}

async function set(changes) {
  const saved = await api('POST', '/_sandbox/openai/behaviour', changes);
  if (saved) await showOpenAi();
  return saved;
}

function fillFaults(switches) {
  const { elements } = find('openai-faults');
  for (const name of ['fault', 'status', 'failRate', 'latencyMs']) elements[name].value = switches[name];
}

find('openai-answer').addEventListener('submit', (event) => {
  event.preventDefault();
  const { contains, text, confidence } = Object.fromEntries(new FormData(event.target));
  const answer = { contains, text, confidence: Number(confidence) };
  void set({ answers: [...(behaviour?.answers ?? []), answer] }).then(
    (saved) => saved && event.target.reset(),
  );
});
find('openai-faults').addEventListener('submit', (event) => {
  event.preventDefault();
  const { fault, ...figures } = Object.fromEntries(new FormData(event.target));
  const numbers = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value)]));
  void set({ fault, ...numbers }).then((saved) => saved && notify('Set.'));
});
addEventListener('hashchange', () => void showOpenAi());
setInterval(() => void showOpenAi(), 2000);
