const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text is an id as this product makes them, in any case of letters. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
