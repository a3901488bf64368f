import type { DeliveryError } from './rejection.ts';

/**
 * What to tell people about a failed message, by the channel's code: what happened and what to do next. English, for people
 * who call the API by hand and for files; the web says it in the reader's language by the same code (`deliveries.json`).
 */
export const deliveryErrorWords: Readonly<Record<string, string>> = {
  '0': 'The access token was not accepted. Enter a new token in Settings.',
  '1': 'WhatsApp reported an unknown fault. It is tried again a few times.',
  '2': 'WhatsApp is overloaded or down. It is tried again later.',
  '3': 'The app lacks a permission for this. Add it in the Meta business settings.',
  '4': 'The app made too many calls. Sending goes on in a few minutes.',
  '10': 'The app has lost its permission to send. Grant it again in the Meta business settings.',
  '17': 'Too many calls were made with this token. Sending goes on in a few minutes.',
  '33': 'The business number was deleted. Connect another number in Settings.',
  '100':
    'WhatsApp did not understand the message. Check its content; if it looks right, report the details shown here.',
  '104': 'The call carried no access token. Enter it in Settings.',
  '190': 'The access token has expired or was revoked. Enter a new token in Settings.',
  '200': 'The token lacks a permission. Grant it in the Meta business settings.',
  '368': 'WhatsApp has blocked this account for breaking its policy. See the Meta business support page.',
  '613': 'Permission was looked up too often. It is tried again shortly.',
  '80007': 'The business account made too many calls. Sending goes on within an hour.',
  '80008': 'The business account made too many calls. Sending goes on within an hour.',
  '130403': 'Your business has blocked this person. Unblock them to write to them.',
  '130429': 'The number sent faster than it may. The message goes out again at a lower rate.',
  '130472': 'WhatsApp keeps this person out of marketing for a test. Do not send it again.',
  '130497': 'Your business may not write to people in this country.',
  '131000': 'WhatsApp could not send the message and gave no reason. Try again later.',
  '131005': 'The token may not do this. Grant the permission in the Meta business settings.',
  '131008': 'A required part of the message is missing. Check its content.',
  '131009': 'A part of the message is not valid. Check its content.',
  '131016': 'WhatsApp is unavailable for a moment. It is tried again.',
  '131021': 'The recipient is the sending number itself.',
  '131026':
    'The message cannot reach this number: it may not use WhatsApp, has an old app, or has not accepted the terms. Try another channel.',
  '131030': 'A test number can only write to its list of allowed numbers. Add this one to the list.',
  '131031': 'The WhatsApp account is locked. See the Meta business support page.',
  '131037': 'The number has no approved display name yet. Get it approved first.',
  '131042':
    'There is a payment problem with the WhatsApp account. Fix the payment method at Meta, then resume.',
  '131045': 'The number is not registered properly. Register it again.',
  '131047': 'More than 24 hours have passed since the person last wrote. Send a template instead.',
  '131048':
    'WhatsApp restricts this number because people reported it. Check its quality before sending more.',
  '131049':
    'WhatsApp held this back to spare the person further marketing. Wait at least 24 hours before trying again.',
  '131050': 'The person has stopped marketing messages from you.',
  '131051': 'WhatsApp does not support this kind of message.',
  '131052': 'The file that the person sent could not be fetched. Ask them to send it again, smaller.',
  '131053': 'WhatsApp could not use the attached file. Check its type and size and upload it again.',
  '131055': 'Only marketing templates can go this way.',
  '131056': 'Too many messages went to this person in a short time. It is tried again in a moment.',
  '131057': 'The account is in maintenance. Sending goes on in about a minute.',
  '131059': 'The list changed while it was read. It is read again.',
  '131060': 'The message is not available at the moment.',
  '131061': 'This template has a price limit and must be sent as an optimised marketing message.',
  '131062': 'This message needs the phone number of the person.',
  '131063': 'Marketing is switched off for this account. Switch it on in the Meta business settings.',
  '131064':
    'WhatsApp limits the account because templates were in the wrong category. Correct them; the limit ends by itself.',
  '132000': 'The number of values differs from the variables of the template. Check the variables.',
  '132001': 'The template does not exist in this language or is not approved. Update the list of templates.',
  '132005': 'The text became too long with the values filled in. Shorten them.',
  '132007': 'The content breaks a rule for templates. Change the template.',
  '132008': 'A value for the template is malformed. Check the values.',
  '132012': 'A value for the template has the wrong form. Check the values.',
  '132015': 'The template is paused because of its quality. Wait until it is active again.',
  '132016': 'The template is disabled for good because of its quality. Make a new one.',
  '132018': 'The values for the template were not accepted. Check the values.',
  '132068': 'The form in this message is blocked. Repair it first.',
  '132069': 'The form in this message is limited for now. Repair it or wait.',
  '133000': 'An earlier removal of the number is not finished. It is tried again.',
  '133004': 'The WhatsApp server is unavailable. It is tried again.',
  '133005': 'The two-step PIN is wrong.',
  '133006': 'The number must be verified first.',
  '133008': 'The PIN was entered wrongly too often. Wait and try again.',
  '133009': 'The PIN was entered too quickly. Wait and try again.',
  '133010': 'The number is not registered. Register it in Settings.',
  '133015': 'The number was just deleted. Wait five minutes.',
  '133016': 'The number was registered too often. Wait 72 hours.',
  '134011': 'The terms for payments are not accepted yet.',
  '134100': 'Only marketing templates can go this way.',
  '134101': 'The template is still being prepared. Try again in ten minutes.',
  '134102': 'The template is not available for this way of sending.',
  '135000': 'WhatsApp refused the message without a reason. Report the details shown here.',
  '136024': 'The number is verified already.',
  '136025': 'The verification code is wrong.',
  '137000': 'The identity of the person has changed. Verify it again.',
  '139100': 'Not all of these people could be blocked.',
  '139101': 'The block list is full.',
  '139102': 'The block list is being changed elsewhere. Try again.',
  '139103': 'The block list could not be changed. Try again.',
  '139200': 'Messages without a template are not allowed for this account. Use a template.',
  '2388019': 'The account cannot hold more templates. Delete some.',
  '2388024': 'A template with this name and language exists already. Choose another name.',
  '2388039': 'The template cannot be edited in its present state. Wait for the review.',
  '2388040': 'A field of the template is too long. Shorten it.',
  '2388047': 'The header of the template is not valid.',
  '2388072': 'The body of the template is not valid.',
  '2388073': 'The footer of the template is not valid.',
  '2388293': 'The template has too many variables for its length. Add text.',
  '2388299': 'A variable stands at the very start or end of the text. Add text around it.',
  '2388318': 'This template cannot be edited.',
  '2388330': 'This template cannot be deleted.',
  account_restricted:
    'WhatsApp restricts this account. See in the Meta business settings why, and until when; then resume.',
  account_banned: 'WhatsApp has banned this account. Ask for a review in the Meta business settings.',
  account_deleted: 'The WhatsApp account was deleted. Connect a number of another account in Settings.',
};

/** One plain sentence for a failure; for an unlisted code the channel's own words. */
export function explainDeliveryError(error: DeliveryError): string {
  // Template calls report code 100 for everything and the reason in the subcode.
  const words = findWords(error.subcode) ?? findWords(error.code);
  if (words !== undefined) return words;
  const own = error.details ?? error.title;
  return own === '' ? `The message was refused with code ${error.code}.` : own;
}

/**
 * The same for what a platform refused beside messages. Its code for a bad value of any call has a sentence about messages, which is wrong here: its own
 * words say more.
 */
export function codeOfRejection({ code = '', subcode }: { code?: string; subcode?: string }): string {
  const word = wordOf({ code, ...(subcode !== undefined && { subcode }) });
  return word === BAD_VALUE ? '' : word;
}

const BAD_VALUE = '100';

/** The code under which a failure has a sentence; that of the channel when it has none. */
export function wordOf({ code, subcode }: Pick<DeliveryError, 'code' | 'subcode'>): string {
  return [subcode, code].map(listedCode).find((listed) => findWords(listed) !== undefined) ?? code;
}

function findWords(code: string | undefined): string | undefined {
  const listed = listedCode(code);
  return listed !== undefined && Object.hasOwn(deliveryErrorWords, listed)
    ? deliveryErrorWords[listed]
    : undefined;
}

/** 200 to 299 are all missing permissions. */
function listedCode(code: string | undefined): string | undefined {
  return code !== undefined && /^2\d\d$/.test(code) ? '200' : code;
}
