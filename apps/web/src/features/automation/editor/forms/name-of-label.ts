const LONGEST = 40;

/** The name of a field of a form, made of its label: `Your company` is `your_company`. What has no letters of ours is `field_1`, and none is there twice. */
export function nameOfLabel(label: string, taken: readonly string[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, LONGEST - 3);
  for (let count = 1; ; count += 1) {
    const name = plain === '' ? `field_${count}` : count === 1 ? plain : `${plain}_${count}`;
    if (!taken.includes(name)) return name;
  }
}
