import { CLEARED } from './cleared-tables.ts';

type Cleared = (typeof CLEARED)[number];

/** What Clear All deletes and a file of data leaves as it is, each with the reason. */
export const STAYS_BESIDE_FILE: Readonly<Partial<Record<Cleared, string>>> = {
  link_clicks: 'of links that people hold, which lead on; no copy of before holds them',
  conversation_labels: 'of the inbox, of which a file says nothing',
  conversation_views: 'of the inbox',
  conversion_settings: 'of campaigns, and a file says nothing of it',
  data_imports: 'those before go by their own condition, and this one is told of',
  contact_imports: 'the same',
  flows: 'a file holds none',
  flow_log: 'of runs, which stay with their workflows',
  flow_secrets: 'of workflows, which stay',
  inbox_settings: 'of the inbox',
  bot_settings: 'of the chatbot, of which a file says nothing',
  ai_calls: 'what was asked of models was asked, and cost what it cost',
  ai_connections: 'of the chatbot',
  bot_knowledge: 'of the chatbot',
  logos: 'a file names none',
  media: 'templates of the file may show them',
  quick_replies: 'of the inbox',
  report_views: 'of analytics',
  report_links: 'of analytics',
  rcs_messages: 'a file holds none',
  webhook_calls: 'what platforms called goes by its time',
};

/** What goes where a file of data takes the place of what is here, beside the contacts and what goes with them. */
export const GOES_FOR_FILE = CLEARED.filter((table) => !Object.hasOwn(STAYS_BESIDE_FILE, table));
