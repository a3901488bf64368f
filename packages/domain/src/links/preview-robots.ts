/** Programs that read a page to show a preview of it, or to check it for harm; by their user agents. */
const ROBOTS =
  /bot\b|bot\/|crawler|spider|preview|telegrambot|slackbot|twitterbot|linkedinbot|skypeuripreview|discordbot|googleother|google-(?:safety|inspectiontool|read-aloud)|apple-?bot|bingpreview|microsoftpreview|safelinks|proofpoint|mimecast|barracuda|urlscan|virustotal|headlesschrome|curl\/|wget\/|python-requests|go-http-client|okhttp\/|java\//i;

/** Whether a request to a counted link is no click of a person: a check without a page, a prefetch, or a program that shows previews. */
export function isPreview({
  method,
  userAgent,
  purpose,
  agents,
}: {
  method: string;
  /** Null where none is sent: browsers send one. */
  userAgent: string | null;
  /** `Purpose` or `Sec-Purpose`: browsers name a prefetch there. */
  purpose: string | null;
  /** Programs of the platforms that messages leave through. */
  agents: readonly RegExp[];
}): boolean {
  if (method === 'HEAD' || /prefetch|preview|prerender/i.test(purpose ?? '')) return true;
  return (
    userAgent === null ||
    userAgent.trim() === '' ||
    [ROBOTS, ...agents].some((agent) => agent.test(userAgent))
  );
}
