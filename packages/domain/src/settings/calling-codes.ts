/**
 * With what the numbers of each country begin (ITU-T E.164). Of countries that share a code the largest has it, and Kazakhstan has
 * the two digits by which it is told from Russia.
 */
const CODES = `
  US1 EG20 SS211 MA212 DZ213 TN216 LY218 GM220 SN221 MR222 ML223 GN224 CI225 BF226 NE227 TG228 BJ229 MU230 LR231 SL232 GH233 NG234 TD235 CF236
  CM237 CV238 ST239 GQ240 GA241 CG242 CD243 AO244 GW245 IO246 AC247 SC248 SD249 RW250 ET251 SO252 DJ253 KE254 TZ255 UG256 BI257 MZ258 ZM260
  MG261 RE262 ZW263 NA264 MW265 LS266 BW267 SZ268 KM269 ZA27 SH290 ER291 AW297 FO298 GL299 GR30 NL31 BE32 FR33 ES34 GI350 PT351 LU352 IE353
  IS354 AL355 MT356 CY357 FI358 BG359 HU36 LT370 LV371 EE372 MD373 AM374 BY375 AD376 MC377 SM378 UA380 RS381 ME382 XK383 HR385 SI386 BA387
  MK389 IT39 RO40 CH41 CZ420 SK421 LI423 AT43 GB44 DK45 SE46 NO47 PL48 DE49 FK500 BZ501 GT502 SV503 HN504 NI505 CR506 PA507 PM508 HT509 PE51
  MX52 CU53 AR54 BR55 CL56 CO57 VE58 GP590 BO591 GY592 EC593 GF594 PY595 MQ596 SR597 UY598 CW599 MY60 AU61 ID62 PH63 NZ64 SG65 TH66 TL670
  NF672 BN673 NR674 PG675 TO676 SB677 VU678 FJ679 PW680 WF681 CK682 NU683 WS685 KI686 NC687 TV688 PF689 TK690 FM691 MH692 RU7 KZ76 KZ77 JP81
  KR82 VN84 KP850 HK852 MO853 KH855 LA856 CN86 BD880 TW886 TR90 IN91 PK92 AF93 LK94 MM95 MV960 LB961 JO962 SY963 IQ964 KW965 SA966 YE967 OM968
  PS970 AE971 IL972 BH973 QA974 BT975 MN976 NP977 IR98 TJ992 TM993 AZ994 GE995 KG996 UZ998`;

const countryOfCode = new Map(
  CODES.trim()
    .split(/\s+/)
    .map((entry) => [entry.slice(2), entry.slice(0, 2)]),
);
const LONGEST = 3;

/** Every country that a number can be told to be of. */
export const numberCountries: readonly string[] = [...new Set(countryOfCode.values())].toSorted();

/** The country (ISO 3166) of a number, or of its first digits; null where they tell none. */
export function countryOfNumber(number: string): string | null {
  const code = codeOf(number);
  return code === null ? null : (countryOfCode.get(code) ?? null);
}

/** The country code of a number; null where its first digits are none. */
export function callingCodeOf(number: string): string | null {
  const code = codeOf(number);
  // Kazakhstan is told from Russia by a digit that is none of its code.
  return code === '76' || code === '77' ? '7' : code;
}

function codeOf(number: string): string | null {
  const digits = number.replace(/^\+/, '');
  for (let length = LONGEST; length > 0; length -= 1) {
    const first = digits.slice(0, length);
    if (countryOfCode.has(first)) return first;
  }
  return null;
}

/** A range of numbers: from `from` on, below `to`. Both are compared as texts, which digits sort in any collation. */
export type NumberRange = { from: string; to: string };

/** Where the numbers (E.164) of a country lie, and which of these ranges are another country's. */
export function numberRangesOf(country: string): { of: NumberRange[]; except: NumberRange[] } {
  const codes = [...countryOfCode].filter(([, owner]) => owner === country).map(([code]) => code);
  const others = [...countryOfCode.keys()].filter((code) =>
    codes.some((own) => code !== own && code.startsWith(own) && !codes.includes(code)),
  );
  return { of: codes.map(rangeOf), except: others.map(rangeOf) };
}

/** No country code consists of nines alone, so that the next one has as many digits. */
function rangeOf(code: string): NumberRange {
  return { from: `+${code}`, to: `+${Number(code) + 1}` };
}
