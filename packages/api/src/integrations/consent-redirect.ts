/** Where a service sends the browser back after a consent: the page of integrations, which shows what came of it. */
export const consentRedirectUrl = (publicUrl: string): string => `${publicUrl}/dashboard/integrations`;
