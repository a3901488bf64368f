export type Point = { latitude: number; longitude: number };

/**
 * Coordinates as people have them: `52.52, 13.405`, with degree signs and letters of the compass, or in an address of a map. Null when there
 * are none, or none on earth.
 */
export function readPoint(typed: string): Point | null {
  const text = decodeAddress(typed.trim());
  const found = /(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([EWO])?/i.exec(
    text,
  );
  if (!found) return null;
  const [, first = '', north = '', second = '', east = ''] = found;
  const latitude = Number(first) * (north.toUpperCase() === 'S' ? -1 : 1);
  const longitude = Number(second) * (['W', 'O'].includes(east.toUpperCase()) ? -1 : 1);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** The part of an address that holds the point: behind `@`, or one of the names that maps use. */
function decodeAddress(text: string): string {
  if (!/^https?:/i.test(text)) return text;
  const point = /(?:@|[?&](?:q|ll|query|destination|mlat)=)(-?\d[^&#]*)/i.exec(text)?.[1];
  return (point ?? '').replace(/%2C|&mlon=/gi, ',').replace(/,\d+(?:\.\d+)?z.*$/, '');
}
