/** Pixels as a JPEG, row by row with three bytes each. Its codec takes memory that most processes never need: it is loaded with the first picture. */
export async function encodePixels(
  pixels: Uint8Array,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
