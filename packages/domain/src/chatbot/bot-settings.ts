import { builtInText } from './built-in-answers.ts';

/** How the bot is another one at one sender. What is empty is as everywhere. */
export type SenderSettings = {
  channelId: string;
  isEnabled: boolean;
  /** The flows that answer there; null: all of them. */
  botFlowIds: string[] | null;
  fallbackMessage: string;
  closedMessage: string;
  businessFacts: string;
};

/** How the bot of a workspace answers. Times in milliseconds. */
export type BotSettings = {
  /** Off until somebody turns it on: before that no customer gets an answer that nobody has seen. */
  isEnabled: boolean;
  autoHandoffEnabled: boolean;
  handoffKeywords: string[];
  responseDelay: number;
  fallbackMessage: string;
  /** Outside the business hours of the workspace the bot says `closedMessage` alone. */
  usesBusinessHours: boolean;
  /** Empty: the built-in text, in the language of the contact. */
  closedMessage: string;
  /** Messages of both sides in one bot conversation; the next one is handed over. */
  maxConversationLength: number;
  /** Whether a customer who is handed over hears how long it usually takes, where that is known. */
  tellsWaitingTime: boolean;
  /** `{{time}}` stands for the time. Empty: the built-in text, in the language of the contact. */
  waitingMessage: string;
  /** A conversation that nobody handed back goes to the bot again after so long; null: never. */
  resumeAfterHours: number | null;
  /** Between 0 and 1: a model that is less sure than that does not answer. */
  confidenceThreshold: number;
  /** What a model may say of the business. */
  businessFacts: string;
  /** Whether e-mail addresses, phone numbers, cards and accounts are taken out of what a model gets. */
  masksPersonalData: boolean;
  /** Of all calls to models within 24 hours; then the bot answers without one. */
  modelTokensPerDay: number;
  /** Answers of a model in one bot conversation. */
  modelAnswersPerConversation: number;
  /** Senders where the bot is another one; empty: one bot for all. */
  senders: SenderSettings[];
};

export const botLimits = {
  responseDelay: 5_000,
  handoffKeywords: 50,
  handoffKeyword: 60,
  message: 1_024,
  maxConversationLength: 1_000,
  resumeAfterHours: 720,
  waitingMessage: 300,
  flows: 100,
  businessFacts: 8_000,
  modelTokensPerDay: 100_000_000,
  modelAnswersPerConversation: 500,
  senders: 50,
} as const;

export const defaultBotSettings: BotSettings = {
  isEnabled: false,
  autoHandoffEnabled: true,
  handoffKeywords: ['human', 'agent', 'representative', 'person'],
  responseDelay: 1_000,
  fallbackMessage: "I'm sorry, I didn't understand that. Let me connect you with a human agent.",
  usesBusinessHours: false,
  closedMessage: '',
  maxConversationLength: 50,
  tellsWaitingTime: true,
  waitingMessage: '',
  resumeAfterHours: 24,
  confidenceThreshold: 0.7,
  businessFacts: '',
  masksPersonalData: true,
  modelTokensPerDay: 500_000,
  modelAnswersPerConversation: 20,
  senders: [],
};

/** Stored is what was saved, in the form of the contract; what it does not name yet has its default. */
export function readBotSettings(stored: Record<string, unknown> | null): BotSettings {
  const known = Object.entries(stored ?? {}).filter(([name]) => name in defaultBotSettings);
  return { ...defaultBotSettings, ...(Object.fromEntries(known) as Partial<BotSettings>) };
}

export function closedText(
  { closedMessage }: Pick<BotSettings, 'closedMessage'>,
  language: Parameters<typeof builtInText>[1],
): string {
  return closedMessage.trim() || builtInText('closed', language);
}
