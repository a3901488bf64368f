/**
 * That a message did not come with the history of a number, which the platform hands over when it is connected: WhatsApp marks each message of it with
 * `history_context`, also those of the last minutes. Nothing answers them. https://developers.facebook.com/docs/whatsapp/embedded-signup/custom-flows/onboarding-business-app-users
 */
export function isLiveSql(alias: string): string {
  return `NOT coalesce(${alias}.payload ? 'history_context', false)`;
}
