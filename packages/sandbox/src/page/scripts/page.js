import { find, api } from './dom.js';
import { showConsole } from './console.js';
import { showCallback, showCalls, showMails, showWebhooks } from './logs.js';
import { showOpenAi } from './openai.js';
import { openFromAddress, showChats, showPhones } from './phones.js';
import { showRcs } from './rcs.js';
import { showRcsAgent } from './rcs-agent.js';
import { showServices } from './services.js';
import { follow, onNews } from './state.js';
import { showBehaviour, showConstants, showQueued, showTemplates } from './switches.js';

// --- tabs of vendors, and below each the tabs of its parts; kept in the address: #mail, or #phones:number/customer,…
const tabs = [...document.querySelectorAll('[role=tab]')];
const nameOfTab = (tab) => tab.getAttribute('aria-controls');
const panelOf = (tab) => find(nameOfTab(tab));
const besides = (tab) => [...tab.closest('[role=tablist]').querySelectorAll('[role=tab]')];

/** Of a vendor with parts the part that was open last. */
function innermost(tab) {
  const inner = [...panelOf(tab).querySelectorAll('[role=tab]')];
  return inner.length === 0 ? tab : inner.find((one) => one.getAttribute('aria-selected') === 'true');
}

function showTab(wanted) {
  const chosen = panelOf(innermost(wanted));
  for (const tab of tabs) {
    // The lists of other vendors stay as they were left.
    if (!besides(tab).some((one) => panelOf(one).contains(chosen))) continue;
    const isOn = panelOf(tab).contains(chosen);
    tab.setAttribute('aria-selected', String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
    panelOf(tab).hidden = !isOn;
  }
}
for (const tab of tabs) {
  tab.addEventListener('click', () => (location.hash = nameOfTab(tab)));
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const row = besides(tab);
    const next = row[(row.indexOf(tab) + step + row.length) % row.length];
    location.hash = nameOfTab(next);
    next.focus();
  });
}
function readAddress() {
  const [name, opened] = location.hash.slice(1).split(':');
  showTab(tabs.find((tab) => nameOfTab(tab) === name) ?? tabs[0]);
  if (opened) openFromAddress(opened.split(','));
}
addEventListener('hashchange', readAddress);
readAddress();

async function showFigures() {
  const stats = await api('GET', '/_sandbox/whatsapp/stats');
  if (!stats) return;
  find('figures').textContent =
    `${stats.accepted} accepted · ${stats.statusesSent} statuses · ${stats.webhooks.pending} webhooks waiting`;
}

for (const show of [
  ...[showChats, showPhones, showMails, showWebhooks, showCalls],
  ...[showConsole, showBehaviour, showQueued, showTemplates, showFigures, showRcs],
  ...[showRcsAgent, showOpenAi, showServices],
])
  onNews(show);
void showConstants();
void showCallback();
void follow();
