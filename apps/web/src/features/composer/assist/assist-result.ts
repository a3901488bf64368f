import type { AssistTask } from '@app/domain/chatbot/model/assist-prompt';

/** What was asked for, with the text that stood in the field then. */
export type Asked = { task: AssistTask; text: string };
/** A text that is read first: it does not belong into the field, or the field has other words by now. */
export type AssistResult = Asked & { answer: string };
