/** What a browser's own name tells of it. What it does not tell is null. */
export type Device = { browser: string | null; os: string | null; kind: 'desktop' | 'mobile' | 'tablet' };

type Sign = readonly [name: string, sign: RegExp];

/** Each names its forebears too, so the first that fits is right. */
const browsers: readonly Sign[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/[\d.]+ .*Safari\//],
];
const systems: readonly Sign[] = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Browser, system and kind of device, in the names that people know them by. */
export function describeDevice(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const nameIn = (signs: readonly Sign[]) => signs.find(([, sign]) => sign.test(text))?.[0] ?? null;
  const isTablet = /\biPad\b|\bTablet\b/.test(text) || (/\bAndroid\b/.test(text) && !/\bMobile\b/.test(text));
  const isMobile = /\b(?:Mobile|iPhone|iPod)\b/.test(text);
  return {
    browser: nameIn(browsers),
    os: nameIn(systems),
    kind: isTablet ? 'tablet' : isMobile ? 'mobile' : 'desktop',
  };
}
