import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Place } from '@app/api/platform/request-context';
import { Reader, type CityResponse } from 'mmdb-lib';

/** The file is there, but is none that tells places. */
export class PlacesUnreadable extends Error {
  override name = 'PlacesUnreadable';
}

/** Files of the free makers tell the country at the top, those of MaxMind in the middle. */
type FlatResponse = { country_code?: string; city?: string | { names?: { en?: string } } };

/**
 * Reads the operator's file of places (`.mmdb`) into memory; without one nobody is anywhere.
 * @throws {PlacesUnreadable}
 */
export function openPlaces(file: string | undefined): (ipAddress: string) => Place | null {
  if (file === undefined) return () => null;
  const reader = read(file);
  return (ipAddress) => {
    // The library reads an answer out of any text.
    const version = isIP(ipAddress);
    const isHeld = version !== 0 && version <= reader.metadata.ipVersion;
    return isHeld ? toPlace(reader.get(ipAddress)) : null;
  };
}

function read(file: string): Reader<CityResponse> {
  try {
    const reader = new Reader<CityResponse>(readFileSync(file));
    // The library takes any bytes, and fails with the first question.
    reader.get('192.0.2.1');
    return reader;
  } catch (error) {
    throw new PlacesUnreadable(`GEOIP_FILE cannot be read as a file of places: ${String(error)}`, {
      cause: error,
    });
  }
}

function toPlace(found: (CityResponse & FlatResponse) | null): Place | null {
  if (!found) return null;
  const { city: named } = found;
  const city = typeof named === 'string' ? named : (named?.names?.en ?? null);
  const country = found.country?.iso_code ?? found.country_code ?? null;
  return city || country ? { city, country } : null;
}
