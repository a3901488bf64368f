/** What the platform takes as the picture of a number, and what is kept of each. */
export const logoLimits = {
  bytes: 5 * 1024 * 1024,
  /** Pixels of each side; below, telephones show it blurred. */
  leastSide: 192,
  /** Width times height. */
  pixels: 50_000_000,
  /** Kept and shown as a square of so many pixels. */
  side: 640,
} as const;

/** How a picture becomes a square: its middle alone, or all of it with white beside it. */
export const logoFits = ['crop', 'whole'] as const;
export type LogoFit = (typeof logoFits)[number];

export type LogoProblem = 'picture_too_small' | 'picture_too_large';

/** What keeps a picture of so many pixels from being a logo. Of one that is shown whole the longer side fills the square. */
export function findLogoProblem(
  { width, height }: { width: number; height: number },
  fit: LogoFit,
  leastSide: number = logoLimits.leastSide,
): LogoProblem | undefined {
  if (width * height > logoLimits.pixels) return 'picture_too_large';
  const side = fit === 'crop' ? Math.min(width, height) : Math.max(width, height);
  return side < leastSide ? 'picture_too_small' : undefined;
}

/** Where people of the workspace see it; another picture has another address. */
export function logoAddress(logo: string): string {
  return `/api/logos/${logo}`;
}
